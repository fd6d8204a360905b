// The links of the table to the steps. This runs before the data are unpacked: else the browser
// scrolls to the address at once, but the turn is to be shown on the board instead.

import { canUnpack } from '../../web/kit/data.js';

/** @type {Map<string, HTMLAnchorElement>} */
export const links = new Map();
/** @type {any} */
const anchors = canUnpack ? document.querySelectorAll('.cell > [id]') : [];
for (const link of anchors) {
  const { id, parentNode: cell } = link;
  links.set(id, link);
  cell.dataset.id ??= id;
  link.href = `#${id}`;
  for (const part of cell.children) part.tabIndex = -1;
  link.removeAttribute('id');
}
