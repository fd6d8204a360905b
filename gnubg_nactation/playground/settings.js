// The look that the visitor chooses: light or dark, and the colours of the board.

import { element, find } from '../web/kit/dom.js';
import { recall, store } from '../web/kit/storage.js';
import { startTheme } from '../web/kit/theme.js';
import { data } from './data.js';

const BOARD = 'nactation-board';
const menu = find('settings');
const boards = find('boards');

function setBoard(/** @type {string} */ name) {
  const known = data.boards.includes(name) ? name : data.boards[0];
  boards.value = known;
  document.documentElement.dataset.board = known;
}

/** Close the menu after a click elsewhere or Escape. @type {(event: any) => void} */
function onAway({ type, key, target }) {
  if (!menu.open || (type === 'click' && menu.contains(target)) || (type === 'keydown' && key !== 'Escape')) return;
  menu.open = false;
  if (type === 'keydown') menu.firstElementChild.focus();
}

boards.append(...data.boards.map((name) => element('option', {}, name)));
setBoard(recall(BOARD));
startTheme();
boards.addEventListener('change', () => {
  store(BOARD, boards.value);
  setBoard(boards.value);
});
for (const kind of ['click', 'keydown']) addEventListener(kind, onAway);
