// The links of the table to its steps. This comes before the data are unpacked: the browser scrolls
// to the address as soon as it may, and here the turn is shown on the board instead.

import { canUnpack } from '../../web/kit/data.js';

/** @type {Map<string, HTMLAnchorElement>} */
export const links = new Map();
/** @type {any} */
const found = canUnpack ? document.querySelectorAll('.cell > [id]') : [];
for (const link of found) {
  const { id, parentNode: cell } = link;
  links.set(id, link);
  cell.dataset.id ??= id;
  link.href = `#${id}`;
  for (const part of cell.children) part.tabIndex = -1;
  link.removeAttribute('id');
}
