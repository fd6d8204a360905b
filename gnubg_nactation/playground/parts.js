// Parts of the page that several views share.

import { copyText, download } from '../web/kit/copying.js';
import { element, find } from '../web/kit/dom.js';
import { data } from './data.js';
import { Stopped } from './python.js';

/** What is typed into. @type {(id: string) => HTMLInputElement} */
export const field = find;

/** A button that does something. @type {(does: () => unknown, ...children: Part[]) => any} */
export function button(does, ...children) {
  const made = element('button', { type: 'button' }, ...children);
  made.addEventListener('click', does);
  return made;
}

export const trouble = (/** @type {string} */ text) => element('p', { className: 'trouble' }, text);

let silence = 0;

/** Tell in a line at the bottom what was done, for a while; what is to be copied stays longer. @type {(text: string, byHand?: boolean) => void} */
export function say(text, byHand = false) {
  const line = find('said');
  line.textContent = text;
  line.classList.toggle('by-hand', byHand);
  clearTimeout(silence);
  silence = setTimeout(() => { line.textContent = ''; }, byHand ? 60000 : 6000);
}

/** Copy a text; where that is not allowed, show it, to be copied by hand. @type {(text: string, what: string) => Promise<void>} */
export async function copy(text, what) {
  const isCopied = await copyText(text);
  say(isCopied ? `${what} copied` : text, !isCopied);
}

export function save(/** @type {string} */ name, /** @type {Blob} */ blob) {
  download(name, blob);
  say(`${name} saved`);
}

/** What a button does with the help of Python, which may be stopped; what goes wrong is told. @type {(does: () => unknown, tell?: (message: string) => void) => () => Promise<void>} */
export const tried = (does, tell = say) => async () => {
  try {
    await does();
  } catch (error) {
    if (!(error instanceof Stopped)) tell(error.message);
  }
};

/** A button to copy a post, and a menu of where it goes; `made` gives its text for such a place. @type {(made: (target: string) => Promise<string>, tell?: (message: string) => void) => any} */
export function postButton(made, tell = say) {
  const target = element('select', { ariaLabel: 'Where the post goes' }, ...data.targets.map((name) => element('option', {}, name)));
  target.value = 'reddit';
  const does = async () => copy(await made(target.value), `Post for ${target.value}`);
  return element('span', { className: 'together' }, button(tried(does, tell), 'Copy post'), target);
}

const made = new WeakMap();

/**
 * Put rows into a list, each made of its value; rows of values that stay are left as they are,
 * which is most of them with each key that is typed.
 * @type {<T>(box: Element, values: T[], make: (value: T, at: number) => Node) => void}
 */
export function list(box, values, make) {
  const known = made.get(box) || new Map();
  const rows = new Map();
  for (const [at, value] of values.entries()) {
    const key = JSON.stringify([at, value]);
    rows.set(key, known.get(key) || make(value, at));
  }
  made.set(box, rows);
  replace(box, [...rows.values()]);
}

/** Put other children into an element; a button in it that has the focus hands it on. @type {(box: Element, children: Node[]) => void} */
export function replace(box, children) {
  const same = box.childNodes.length === children.length && children.every((one, at) => box.childNodes[at] === one);
  if (same) return;
  const buttons = () => [...box.querySelectorAll('button')];
  /** @type {any} */
  const focused = document.activeElement;
  const at = buttons().indexOf(focused);
  box.replaceChildren(...children);
  if (at >= 0) buttons()[Math.min(at, buttons().length - 1)]?.focus({ preventScroll: true });
}

/** Put other children into an element that is read aloud; what says the same stays, and is not told again. @type {(box: Element, children: Part[]) => void} */
export function renew(box, children) {
  const made = /** @type {Element} */ (box.cloneNode());
  made.append(...children);
  if (!made.isEqualNode(box)) box.replaceChildren(...made.childNodes);
}

/** Call a function when nothing has happened for some milliseconds. @type {<T extends unknown[]>(does: (...given: T) => void, milliseconds: number) => (...given: T) => void} */
export function debounced(does, milliseconds) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => does(...given), milliseconds);
  };
}
