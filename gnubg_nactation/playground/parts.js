// Parts of the page that several views share.

import { copyText, download } from '../web/kit/copying.js';
import { element, find } from '../web/kit/dom.js';
import { data } from './data.js';
import { Stopped } from './python.js';

/** @type {(id: string) => HTMLInputElement} */
export const field = find;

/** Storage of this playground, apart from others on the same host. @type {(name: string) => string} */
export const keyOf = (name) => `nactation ${new URL('..', import.meta.url).pathname} ${name}`;

/** @type {(does: () => unknown, ...children: Part[]) => any} */
export function button(does, ...children) {
  const made = element('button', { type: 'button' }, ...children);
  made.addEventListener('click', does);
  return made;
}

/** Call a function instead of submitting a form. @type {(id: string, does?: () => unknown) => void} */
export function onSubmit(id, does = () => {}) {
  find(id).addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    does();
  });
}

/** Milliseconds after which work is shown, so that not every key shows it. */
export const SLOW = 250;

/** A box with a title. @type {(title: string, ...parts: Part[]) => any} */
export const card = (title, ...parts) => element('section', { className: 'card', ariaLabel: title }, element('h2', {}, title), ...parts);

export const trouble = (/** @type {string} */ text) => element('p', { className: 'trouble' }, text);

let silence = 0;

/** Show a line at the bottom for some seconds; for a minute if it is to be copied by hand. @type {(text: string, byHand?: boolean) => void} */
export function say(text, byHand = false) {
  const line = find('said');
  line.textContent = text;
  line.classList.toggle('by-hand', byHand);
  clearTimeout(silence);
  silence = setTimeout(() => { line.textContent = ''; }, byHand ? 60000 : 6000);
}

/** Copy a text, or show it if the browser does not allow that. @type {(text: string, name: string) => Promise<void>} */
export async function copy(text, name) {
  const isCopied = await copyText(text);
  say(isCopied ? `${name} copied` : text, !isCopied);
}

export function save(/** @type {string} */ name, /** @type {Blob} */ blob) {
  download(name, blob);
  say(`${name} saved`);
}

/** A function that reports its errors, unless Python was stopped. @type {(does: () => unknown, report?: (message: string) => void) => () => Promise<void>} */
export const tried = (does, report = say) => async () => {
  try {
    await does();
  } catch (error) {
    if (!(error instanceof Stopped)) report(error.message);
  }
};

/** A button to copy a post, with a menu of targets; `postFor` gives the post for a target. @type {(postFor: (target: string) => Promise<string>, report?: (message: string) => void) => any} */
export function postButton(postFor, report = say) {
  const target = element('select', { ariaLabel: 'Format of the post' }, ...data.targets.map((name) => element('option', {}, name)));
  target.value = 'reddit';
  const does = async () => copy(await postFor(target.value), `Post for ${target.value}`);
  return element('span', { className: 'together' }, button(tried(does, report), 'Copy post'), target);
}

const rowsOf = new WeakMap();

/** Fill a list with a row for each value; the rows of values that stay are kept, so a row depends on nothing else. @type {<T>(box: Element, values: T[], make: (value: T, at: number) => Node) => void} */
export function list(box, values, make) {
  const known = rowsOf.get(box) || new Map();
  const rows = new Map();
  for (const [at, value] of values.entries()) {
    const key = JSON.stringify([at, value]);
    rows.set(key, known.get(key) || make(value, at));
  }
  rowsOf.set(box, rows);
  replace(box, [...rows.values()]);
}

/** Replace the children of an element; the focus of a button passes to the one in its place, that of a link to the same one. @type {(box: Element, children: Node[]) => void} */
export function replace(box, children) {
  if (box.childNodes.length === children.length && children.every((child, at) => box.childNodes[at] === child)) return;
  const buttons = () => [...box.querySelectorAll('button')];
  /** @type {any} */
  const focused = document.activeElement;
  const at = buttons().indexOf(focused);
  /** @type {() => any[]} */
  const links = () => [...box.querySelectorAll('a[href]')];
  const linkAt = links().indexOf(focused);
  box.replaceChildren(...children);
  if (at >= 0) buttons()[Math.min(at, buttons().length - 1)]?.focus({ preventScroll: true });
  if (linkAt < 0) return;
  const after = links();
  const isSame = (/** @type {any} */ link) => link?.href === focused.href;
  (isSame(after[linkAt]) ? after[linkAt] : after.find(isSame))?.focus({ preventScroll: true });
}

/** Replace the children of an element if they differ, so that it is not read aloud again. @type {(box: Element, children: Part[]) => void} */
export function renew(box, children) {
  const made = /** @type {Element} */ (box.cloneNode());
  made.append(...children);
  if (!made.isEqualNode(box)) box.replaceChildren(...made.childNodes);
}

/** Whether others can open the address of this page: nobody else has that of the extension. */
export const isPublic = location.protocol.startsWith('http');

/** Whether the address is that of one of these views, and no other is about to open. @type {(...names: string[]) => boolean} */
export const isAt = (...names) => names.includes(location.hash.slice(1).split('=')[0]);

/** A function that calls another when it has not been called for some milliseconds. @type {<T extends unknown[]>(does: (...args: T) => void, milliseconds: number) => (...args: T) => void} */
export function debounced(does, milliseconds) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => does(...args), milliseconds);
  };
}

/** The look of a Nactation in plain spelling: J{3} is an italic J. One in a colour stays as it is spelled. @type {(name: string) => Look} */
export function lookOf(name) {
  const [, text = name, mark = '', member = '1'] = /^(.)([_.]?)(?:\{(\d+)\})?$/.exec(name) || [];
  const key = (text + mark).toUpperCase();
  const looks = data.alphabet.map((family) => family.looks).find((all) => all.some((look) => look.name === key)) || [];
  const glyphs = looks.length * (key === key.toLowerCase() ? 1 : 2); // which come before they are formatted
  const style = ['', 'i', 'b', 'ib'][Math.floor((Number(member) - 1) / glyphs)];
  return style === undefined ? { name, text: name } : { name, text, tags: style + (mark === '_' ? 'u' : ''), ...(mark === '.' && { dot: true }) };
}
