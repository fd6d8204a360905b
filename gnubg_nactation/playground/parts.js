// Parts of the page that several views share.

import { element, find } from './board.js';
import { Stopped } from './python.js';

const { targets } = JSON.parse(find('data').textContent);

/**
 * A Nactation as answers.py has its look.
 * @typedef {{name: string, text: string, tags?: string, dot?: boolean, colour?: string, dark?: boolean}} Look
 */

/** @param {Look} look */
export function glyph(look) {
  let shown = document.createTextNode(look.text);
  for (const tag of look.tags || '') {
    const around = element(tag, {});
    around.append(shown);
    shown = around;
  }
  const made = element('span', { className: 'glyph' }, shown, look.dot ? '.' : '');
  if (look.colour) {
    made.classList.add('chip');
    if (look.dark) made.classList.add('on-black');
    made.style.color = look.colour;
  }
  return made;
}

/**
 * What is typed into.
 * @param {string} id
 * @returns {HTMLInputElement}
 */
export const field = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/** A button that does something. */
export function button(does, ...children) {
  const made = element('button', { type: 'button' }, ...children);
  made.addEventListener('click', does);
  return made;
}

export const small = (...children) => element('small', {}, ...children);
export const paragraph = (...children) => element('p', {}, ...children);
export const trouble = (text) => element('p', { className: 'trouble' }, text);

let silence = 0;

/** Tell in a line at the bottom what was done, for a while; what is to be copied stays longer. */
export function say(text, byHand = false) {
  const line = document.getElementById('said');
  line.textContent = text;
  line.classList.toggle('by-hand', byHand);
  clearTimeout(silence);
  silence = setTimeout(() => { line.textContent = ''; }, byHand ? 60000 : 6000);
}

/** Copy a text; where that is not allowed, show it, to be copied by hand. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  } catch {
    say(text, true);
  }
}

/** What a button does with the help of Python, which may be stopped; what goes wrong is told. */
export const tried = (does, tell = say) => async () => {
  try {
    await does();
  } catch (error) {
    if (!(error instanceof Stopped)) tell(error.message);
  }
};

/** A button to copy a post, and a menu of where it goes; `made` gives its text for such a place. */
export function postButton(made, tell = say) {
  const target = element('select', { ariaLabel: 'Where the post goes' }, ...targets.map((name) => element('option', {}, name)));
  target.value = 'reddit';
  const does = async () => copy(await made(target.value), `Post for ${target.value}`);
  return element('span', { className: 'together' }, button(tried(does, tell), 'Copy post'), target);
}

/** Give a file to the visitor. */
export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = element('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
  say(`${name} saved`);
}

const made = new WeakMap();

/**
 * Put rows into a list, each made of its value; rows of values that stay are left as they are,
 * which is most of them with each key that is typed.
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

/** Put other children into an element; a button in it that has the focus hands it on. */
export function replace(box, children) {
  const same = box.childNodes.length === children.length && children.every((one, at) => box.childNodes[at] === one);
  if (same) return;
  const buttons = () => [...box.querySelectorAll('button')];
  const at = buttons().indexOf(document.activeElement);
  box.replaceChildren(...children);
  if (at >= 0) buttons()[Math.min(at, buttons().length - 1)]?.focus({ preventScroll: true });
}

/** Put other children into an element that is read aloud; what says the same stays, and is not told again. */
export function renew(box, children) {
  const made = box.cloneNode();
  made.append(...children);
  if (!made.isEqualNode(box)) box.replaceChildren(...made.childNodes);
}

/** Call a function when nothing has happened for some milliseconds. */
export function debounced(does, milliseconds) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => does(...given), milliseconds);
  };
}
