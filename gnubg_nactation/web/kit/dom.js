// Elements: find them, make them, listen to them.

/** @type {(id: string) => any} */
export const find = (id) => document.getElementById(id);
/** @type {(selector: string) => any} */
export const query = (selector) => document.querySelector(selector);

/** @type {(name: string, properties: object, ...children: Part[]) => any} */
export function element(name, properties, ...children) {
  const part = Object.assign(document.createElement(name), properties);
  part.append(...children);
  return part;
}

/** An element of an SVG. @type {(name: string, attributes: object, ...children: Part[]) => any} */
export function drawn(name, attributes, ...children) {
  const part = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
  part.append(...children);
  return part;
}

/** @type {(...children: Part[]) => any} */
export const paragraph = (...children) => element('p', {}, ...children);
/** @type {(...children: Part[]) => any} */
export const small = (...children) => element('small', {}, ...children);
/** Text for screen readers only. @type {(text: string) => any} */
export const unseen = (text) => element('span', { className: 'unseen' }, text);

/** A Nactation in its style. @type {(look: Omit<Look, 'name'>) => any} */
export function glyphOf({ text, tags = '', dot, colour, dark }) {
  let shown = /** @type {Part} */ (text);
  for (const tag of tags) shown = element(tag, {}, shown);
  const part = element('span', { className: 'glyph' }, shown, dot ? '.' : '');
  if (colour) {
    part.classList.add('chip');
    if (dark) part.classList.add('on-black');
    part.style.color = colour;
  }
  return part;
}

/** A list with a row for each array of parts. @type {(tag: 'ul' | 'ol', className: string, rows: Part[][]) => any} */
export const listOf = (tag, className, rows) => element(tag, { className }, ...rows.map((parts) => element('li', {}, ...parts)));
/** The parts of a listed play or name: its Nactation, a text, and a note. @type {(glyph: Part, text: Part, note?: string) => Part[]} */
export const labelled = (glyph, text, note = '') => [glyph, element('span', { className: 'way' }, text, note && small(` ${note}`))];

/** Mark whether a button is pressed. @type {(button: Element, is: boolean) => void} */
export const press = (button, is) => button.setAttribute('aria-pressed', String(is));

/** Mark whether an element is the current one of its list. @type {(part: Element, is: boolean, kind?: string) => void} */
export const markCurrent = (part, is, kind = 'true') => (is ? part.setAttribute('aria-current', kind) : part.removeAttribute('aria-current'));

/** Whether a key belongs to the browser or the system. @type {(event: any) => boolean} */
export const isCommand = (event) => event.altKey || event.ctrlKey || event.metaKey;

/** Call `does` with 1 for a swipe to the right over an element, with -1 for one to the left. @type {(box: HTMLElement, does: (way: number) => void, isOn?: () => boolean) => void} */
export function onSwipe(box, does, isOn = () => true) {
  /** @type {number[] | null} */
  let from = null;
  box.addEventListener('pointerdown', (event) => {
    from = event.pointerType === 'touch' && isOn() ? [event.clientX, event.clientY] : null;
  });
  box.addEventListener('pointerup', (event) => {
    if (!from) return;
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    from = null;
    if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) does(Math.sign(x));
  });
}
