// The tab Scores: the best play at each score. The table fills from the score in force outwards, in
// steps that do not delay a key, at 0-ply first and deeper if asked.

import { element, find, glyphOf, listOf, paragraph, small } from '../../web/kit/dom.js';
import { data } from '../data.js';
import { button, renew, trouble } from '../parts.js';
import { ask, engineProblem, engineSettled, Stopped } from '../python.js';

const DEEP = 2; // plies
const LEGEND = 'Rows: points you need; columns: points the opponent needs; 1C: the Crawford game. * not as for money. Two letters: within .010. A stronger colour is a larger lead.';

/** The table under way: after a text, with so many decisions done. @type {{text: string, plies: number, done: number, total: number, isRunning: boolean}} */
let current = { text: '', plies: 0, done: 0, total: 0, isRunning: false };
/** The cells on the screen by their labels. @type {Map<string, Element>} */
const boxes = new Map();
const lines = element('div', {});
const wide = element('div', { className: 'wide' });
const letters = element('ul', { className: 'score-letters' });
const state = element('div', { className: 'row' });

/** Show the table after a text, or stop if it is empty. @type {(text: string) => void} */
export function followScores(text) {
  if (text === current.text) return;
  current.isRunning = false;
  current = { text, plies: 0, done: 0, total: 0, isRunning: false };
  if (text) begin(0);
}

function begin(/** @type {number} */ plies) {
  current = { ...current, plies, done: 0, total: 0 };
  boxes.clear();
  for (const box of [lines, wide, letters]) box.replaceChildren();
  fill();
}

async function fill() {
  const filling = current;
  filling.isRunning = true;
  showState();
  try {
    await engineSettled();
    if (filling === current && engineProblem()) throw new Error(`No equities: ${engineProblem()}`);
    while (filling === current && filling.isRunning) {
      /** @type {ScoreCells} */
      const answer = await ask('score_cells', [filling.text, filling.plies, filling.done]);
      if (filling !== current) return;
      filling.isRunning &&= answer.done < answer.total;
      Object.assign(filling, { done: answer.done, total: answer.total });
      show(answer);
    }
  } catch (error) {
    filling.isRunning = false;
    if (filling === current && !(error instanceof Stopped)) state.replaceChildren(trouble(error.message));
  }
}

/** @type {(answer: ScoreCells) => void} */
function show({ labels, cells, letters: rows, lines: words, level }) {
  if (labels.length && !boxes.size) wide.replaceChildren(emptyTable(labels));
  for (const cell of cells) {
    const box = boxes.get(cell.at.join());
    if (!box) continue;
    Object.assign(box, { className: cell.here ? `${cell.shade} here` : cell.shade, title: cell.words });
    box.replaceChildren(...cell.letters.map(glyphOf), ...(cell.differs ? ['*'] : []));
  }
  renew(letters, [...listOf('ul', '', rows.map(([look, text, times]) => [glyphOf(look), ` ${text} `, small(times)])).children]);
  renew(lines, [...words.map((line) => paragraph(line)), ...(words.length ? [paragraph(small(`By GNU Backgammon, ${level.replace('gnubg ', '')}`))] : [])]);
  showState();
}

function emptyTable(/** @type {string[]} */ labels) {
  const row = (/** @type {string} */ own) => element('tr', {}, element('th', { scope: 'row' }, own), ...labels.map((other) => {
    const box = element('td', { className: 'void' });
    boxes.set([own, other].join(), box);
    return box;
  }));
  const head = element('tr', {}, element('td', { className: 'void' }), ...labels.map((label) => element('th', { scope: 'col' }, label)));
  return element('table', { className: 'scores' }, element('thead', {}, head), element('tbody', {}, ...labels.map(row)));
}

function showState() {
  const { done, total, plies, isRunning } = current;
  const parts = isRunning ? [small(total ? `${done} of ${total}` : '…'), button(stop, 'Stop')]
    : done < total ? [small(`${done} of ${total}`), button(fill, 'Go on')]
      : plies < DEEP ? [button(() => begin(DEEP), `Look deeper: ${DEEP}-ply`)] : [];
  renew(state, parts);
}

function stop() {
  current = { ...current, isRunning: false }; // an answer under way is dropped, and asked again
  showState();
}

if (data.engine) {
  wide.tabIndex = 0;
  wide.setAttribute('role', 'region');
  wide.setAttribute('aria-label', 'Best plays by score');
  find('all-scores').append(state, lines, wide, letters, paragraph(small(LEGEND)));
}
find('tab-all-scores').hidden = !data.engine; // there is nothing to ask
