// The tab Scores: the best play at each score. The table fills from the score in force outwards, in
// steps that do not delay a key, at 0-ply first and deeper if asked. A quiz asks where it changes.

import { element, find, glyphOf, listOf, paragraph, press, small } from '../../web/kit/dom.js';
import { counted } from '../../web/kit/words.js';
import { data } from '../data.js';
import { button, renew, trouble } from '../parts.js';
import { ask, engineProblem, engineSettled, Stopped } from '../python.js';

const DEEP = 2; // plies
const LEGEND = 'Rows: points you need; columns: points the opponent needs; 1C: the Crawford game. * not as for money. Two letters: within .010. A stronger colour is a larger lead.';

/** The table under way: after a text, with so many decisions done. @type {{text: string, plies: number, done: number, total: number, isRunning: boolean, hasFailed: boolean}} */
let current = { text: '', plies: 0, done: 0, total: 0, isRunning: false, hasFailed: false };
/** The cells on the screen by their labels, and what they say. @type {Map<string, {box: any, cell: ScoreCell | null}>} */
const boxes = new Map();
/** The scores that are chosen in the quiz; null outside it. @type {Set<ScoreCell> | null} */
let chosen = null;
const lines = element('div', {});
const wide = element('div', { className: 'wide' });
const letters = element('ul', { className: 'score-letters' });
const state = element('div', { className: 'row' });

/** Show the table after a text, or stop if it is empty. @type {(text: string) => void} */
export function followScores(text) {
  if (text === current.text && !current.hasFailed) return;
  current.isRunning = false;
  current = { text, plies: 0, done: 0, total: 0, isRunning: false, hasFailed: false };
  if (text) begin(0);
}

function begin(/** @type {number} */ plies) {
  current = { ...current, plies, done: 0, total: 0 };
  boxes.clear();
  chosen = null;
  letters.hidden = false;
  for (const box of [lines, wide, letters]) box.replaceChildren();
  fill();
}

async function fill() {
  const filling = current;
  Object.assign(filling, { isRunning: true, hasFailed: false });
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
    if (filling !== current) return;
    filling.hasFailed = true;
    if (error instanceof Stopped) showState();
    else state.replaceChildren(trouble(error.message));
  }
}

/** @type {(answer: ScoreCells) => void} */
function show({ labels, cells, letters: rows, lines: words, level }) {
  if (labels.length && !boxes.size) wide.replaceChildren(emptyTable(labels));
  for (const cell of cells) {
    const place = boxes.get(cell.at.join());
    if (!place) continue;
    place.cell = cell;
    reveal(place.box, cell);
  }
  renew(letters, [...listOf('ul', '', rows.map(([look, text, times]) => [glyphOf(look), ` ${text} `, small(times)])).children]);
  renew(lines, [...words.map((line) => paragraph(line)), ...(words.length ? [paragraph(small(`By GNU Backgammon, ${level.replace('gnubg ', '')}`))] : [])]);
  showState();
}

/** @type {(box: any, cell: ScoreCell) => void} */
function reveal(box, cell) {
  Object.assign(box, { className: cell.here ? `${cell.shade} here` : cell.shade, title: cell.words });
  box.replaceChildren(...cell.letters.map(glyphOf), ...(cell.differs ? ['*'] : []));
}

function emptyTable(/** @type {string[]} */ labels) {
  const row = (/** @type {string} */ own) => element('tr', {}, element('th', { scope: 'row' }, own), ...labels.map((other) => {
    const box = element('td', { className: 'void' });
    boxes.set([own, other].join(), { box, cell: null });
    return box;
  }));
  const head = element('tr', {}, element('td', { className: 'void' }), ...labels.map((label) => element('th', { scope: 'col' }, label)));
  return element('table', { className: 'scores' }, element('thead', {}, head), element('tbody', {}, ...labels.map(row)));
}

function showState() {
  const { done, total, plies, isRunning } = current;
  const parts = isRunning ? [small(total ? `${done} of ${total}` : '…'), button(stop, 'Stop')]
    : done < total ? [small(`${done} of ${total}`), button(fill, 'Go on')]
      : chosen ? [button(judge, 'Show the letters')]
        : [...(plies < DEEP ? [button(() => begin(DEEP), `Look deeper: ${DEEP}-ply`)] : []), ...(changing().length ? [button(askChanges, 'Quiz: where does it change?')] : [])];
  renew(state, parts);
}

// The quiz. A score at which two choices are within .010 counts neither way.

const known = () => [...boxes.values()].flatMap(({ box, cell }) => (cell?.letters.length ? [{ box, cell }] : []));
const clear = () => known().filter(({ cell }) => cell.letters.length === 1);
const changing = () => clear().filter(({ cell }) => cell.differs);

/** Hide the letters; the player chooses the scores at which the best choice is not that for money. */
function askChanges() {
  const picked = new Set();
  chosen = picked;
  for (const { box, cell } of known()) {
    const [own, other] = cell.at;
    const pick = button(() => {
      if (!picked.delete(cell)) picked.add(cell);
      press(pick, picked.has(cell));
    });
    pick.ariaLabel = `you need ${own}, the opponent ${other}`;
    press(pick, false);
    box.className = '';
    box.removeAttribute('title');
    box.replaceChildren(pick);
  }
  letters.hidden = true;
  lines.querySelector('.asked')?.remove();
  for (const line of lines.children) line.hidden = !line.textContent.startsWith('Money');
  lines.prepend(element('p', { className: 'asked' }, element('b', {}, 'At which scores is something else best?'), ' Choose them in the table.'));
  showState();
}

function judge() {
  const picked = chosen;
  if (!picked) return;
  chosen = null;
  for (const { box, cell } of known()) reveal(box, cell);
  for (const { box, cell } of clear()) {
    if (picked.has(cell)) box.classList.add(cell.differs ? 'found' : 'mistaken');
    else if (cell.differs) box.classList.add('missed');
  }
  const count = (/** @type {boolean} */ differs) => clear().filter(({ cell }) => cell.differs === differs && picked.has(cell)).length;
  const mistaken = count(false);
  letters.hidden = false;
  for (const line of lines.children) line.hidden = false;
  lines.querySelector('.asked')?.replaceChildren(element('b', {}, `${count(true)} of ${counted(changing().length, 'change')} found`), mistaken ? `; ${mistaken} wrong` : '', '. Close scores do not count.');
  showState();
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
