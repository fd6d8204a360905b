// The look that the visitor chooses: light or dark, and the colours of the board.

import { element, find } from '../web/kit/dom.js';
import { startMenus } from '../web/kit/menu.js';
import { recall, store } from '../web/kit/storage.js';
import { startTheme } from '../web/kit/theme.js';
import { data } from './data.js';

const BOARD = 'nactation-board';
const USUAL = 'usual'; // as index.html begins: green, and night in the dark
const boards = find('boards');

function setBoard(/** @type {string} */ name) {
  const known = data.boards.includes(name) ? name : USUAL;
  boards.value = known;
  document.documentElement.dataset.board = known;
}

boards.append(element('option', { value: USUAL }, 'green or night'), ...data.boards.map((name) => element('option', {}, name)));
setBoard(recall(BOARD));
startTheme();
startMenus();
boards.addEventListener('change', () => {
  store(BOARD, boards.value);
  setBoard(boards.value);
});
