// The small view for other pages: a board, its last turns and a link, without Python.

import { element, find, isCommand } from '../web/kit/dom.js';
import { showOn } from './board.js';
import { readAnchor } from './embedded.js';

const SHOWN = 6; // turns below the board
/** @type {Answer[]} */
let turns = [];
let chosen = 0;

function show() {
  showOn(turns[chosen], null);
  const first = Math.max(0, Math.min(chosen - SHOWN + 2, turns.length - SHOWN));
  find('tokens').replaceChildren(...turns.slice(first, first + SHOWN).map(({ token, said }, at) => {
    const row = element('li', { title: said || '' }, token || '');
    if (first + at === chosen) row.setAttribute('aria-current', 'step');
    return row;
  }));
  find('back').disabled = chosen === 0;
  find('on').disabled = chosen === turns.length - 1;
}

/** @type {(by: number) => void} */
function walk(by) {
  if (!turns.length) return;
  chosen = Math.max(0, Math.min(chosen + by, turns.length - 1));
  show();
}

function open() {
  const read = readAnchor(location.hash);
  if (!read) {
    location.replace(`./${location.hash}`);
    return;
  }
  turns = read.turns;
  chosen = turns.length - 1;
  find('open').href = `./#s=${encodeURIComponent(read.text)}`;
  show();
}

/** @type {Record<string, number>} */
const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

find('board').addEventListener('click', (/** @type {MouseEvent} */ event) => {
  const { left, width } = find('board').getBoundingClientRect();
  walk(event.clientX < left + width / 2 ? -1 : 1);
});
find('back').addEventListener('click', () => walk(-1));
find('on').addEventListener('click', () => walk(1));
addEventListener('keydown', (event) => {
  if (!KEYS[event.key] || isCommand(event)) return;
  event.preventDefault();
  walk(KEYS[event.key]);
});
addEventListener('hashchange', open);
open();
