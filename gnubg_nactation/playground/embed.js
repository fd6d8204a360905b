// The small view for other pages: a board, its last turns and a link, without Python.

import { element, find, markCurrent } from '../web/kit/dom.js';
import { onWalk, showOn } from './board.js';
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
    markCurrent(row, first + at === chosen, 'step');
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

find('board').addEventListener('click', (/** @type {MouseEvent} */ event) => {
  const { left, width } = find('board').getBoundingClientRect();
  walk(event.clientX < left + width / 2 ? -1 : 1);
});
onWalk(walk);
addEventListener('hashchange', open);
open();
