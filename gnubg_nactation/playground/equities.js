// The engine's judgement of the turn on the board: equities in the list of plays, the nacbrac, the
// cube. It follows each key at 0-ply, and a pause at 2-ply, in steps that do not delay the next key.

import { element, find, listOf, paragraph, small } from '../web/kit/dom.js';
import { data } from './data.js';
import { button, copy, debounced, renew, tried, trouble } from './parts.js';
import { ask, engineProblem, latest } from './python.js';
import { act, explainedAt, isAnswered, shown, whenShown } from './typing.js';

const PAUSE = 300; // milliseconds after the last key
const DEEP = 2; // plies
const BOT = 'GNU Backgammon’s evaluation';

/** What is judged, how far, and whether the search was stopped. @type {{text: string, at: number, judgement: Judgement | null, problem: string, isStopped: boolean}} */
let current = { text: '', at: -1, judgement: null, problem: '', isStopped: false };
const isCurrent = (/** @type {string} */ text, /** @type {number} */ at) => text === current.text && at === current.at;

const judge = latest('equities', (/** @type {{value: Judgement, error?: string}} */ { value, error }, text, at, plies) => {
  if (!isCurrent(text, at) || !isWanted()) return;
  if (value?.unfinished) {
    if (!current.isStopped) judge(text, at, plies);
    return;
  }
  if (error) current.problem = error;
  else current.judgement = value;
  showJudgement();
  if (!error && plies < DEEP) deepen(text, at);
});

const deepen = debounced((/** @type {string} */ text, /** @type {number} */ at) => {
  if (isCurrent(text, at) && isWanted() && !current.isStopped) judge(text, at, DEEP);
}, PAUSE);

/** The turn to judge: the one on the board, but in Play the last play made, as a hint would spoil the next. */
function subject() {
  if (!shown.reply || !isAnswered() || shown.reply.unfinished) return -1;
  if (shown.view !== 'play') return shown.chosen;
  const at = explainedAt();
  return shown.reply.turns[at]?.said ? at : -1;
}

const isWanted = () => shown.active && shown.text === current.text && engineProblem() === '' && find('equities').open;

/** Judge the turn on the board, if it is not judged yet. */
export function followBoard() {
  if (!data.engine) return;
  const at = subject();
  find('equities').hidden = !shown.active || at < 0;
  find('assumed').hidden = !shown.reply?.turns.some(({ reading }) => reading === 'assumed');
  find('resolved').replaceChildren();
  if (at < 0) return;
  if (!isCurrent(shown.text, at)) {
    current = { text: shown.text, at, judgement: null, problem: '', isStopped: false };
    if (isWanted()) judge(shown.text, at, 0);
  } else if (isWanted() && !current.judgement && !current.problem) judge(shown.text, at, 0);
  showJudgement();
}

function stopSearch() {
  current.isStopped = true;
  showJudgement();
}

function showJudgement() {
  const { judgement, isStopped } = current;
  const isDeep = !judgement || judgement.level === `${DEEP}-ply`;
  find('nacbrac-copy').hidden = !judgement?.nacbrac;
  find('depth').textContent = judgement ? `${BOT}, ${judgement.level}` : BOT;
  find('deepening').hidden = isDeep || isStopped;
  renew(find('judgement'), judgementParts());
  ratePlays();
}

/** @type {() => Node[]} */
function judgementParts() {
  const { judgement } = current;
  const problem = current.problem || (engineProblem() ?? '');
  if (problem) return [trouble(current.problem ? problem : `No equities: ${problem}`)];
  if (!judgement) return [paragraph(small('…'))];
  const { nacbrac, actions, chances, equity } = judgement;
  const parts = nacbrac ? [element('p', {}, element('code', { id: 'nacbrac' }, nacbrac))] : [];
  for (const [action, worth, loss] of actions || []) {
    parts.push(paragraph(element('b', {}, worth), ` ${action}`, ...(loss ? [small(` ${loss}`)] : [])));
  }
  if (chances) parts.push(paragraph(...(actions ? [] : [element('b', {}, equity || ''), ' ']), small(chancesText(chances))));
  return parts;
}

/** @type {(chances: string[]) => string} */
function chancesText([win, gammon, backgammon, lostGammon, lostBackgammon]) {
  return `${win} (${gammon} ${backgammon}) – ${(100 - Number(win)).toFixed(1)} (${lostGammon} ${lostBackgammon})`;
}

/** Show equities in the list of plays, and sort it, unless somebody is about to choose from it. */
function ratePlays() {
  const box = find('options');
  const plays = isListed() ? current.judgement?.plays || [] : [];
  box.classList.toggle('rated', plays.length > 0);
  const ranks = new Map(plays.map(({ said }, rank) => [said, rank]));
  const rows = [...box.children];
  for (const row of rows) {
    const play = plays[ranks.get(row.dataset.said) ?? -1];
    row.querySelector('.rating')?.remove();
    if (play) row.firstElementChild.append(ratingOf(play));
  }
  if (!plays.length || box.matches(':hover, :focus-within')) return;
  const rankOf = (/** @type {any} */ row) => ranks.get(row.dataset.said) ?? rows.length;
  box.append(...rows.sort((one, other) => rankOf(one) - rankOf(other)));
}

/** Whether the plays that are judged are those of the list. */
const isListed = () => Boolean(shown.reply?.options) && current.at >= (shown.reply?.turns.length || 0) - 1
  && isCurrent(shown.text, subject());

/** @type {(play: RatedPlay) => any} */
function ratingOf({ equity, loss, chances, level }) {
  return element('span', { className: 'rating' },
    element('span', {}, element('b', {}, equity), ` ${loss}`), small(`${chancesText(chances)}${level && ` · ${level}`}`));
}

/** Let the engine choose the plays that the sequence leaves open, and offer the sequence with their letters. */
async function resolveText() {
  const { text } = shown;
  const say = (/** @type {Node[]} */ ...parts) => find('resolved').replaceChildren(...parts);
  say(paragraph(small('…')));
  let answer;
  do {
    answer = await ask('resolve', [text]);
    if (text !== shown.text) return;
  } while (answer.unfinished);
  const { text: resolved, notes } = answer;
  say(listOf('ul', '', notes.map((/** @type {string} */ note) => [small(note)])), paragraph(button(() => act(resolved), resolved)));
}

if (data.engine) {
  const { source, scripts } = data.engine;
  find('engine-source').setAttribute('href', source);
  find('engine-scripts').setAttribute('href', scripts);
}
find('deepening').append(small(`${DEEP}-ply follows `), button(stopSearch, 'Stop'));
find('nacbrac-copy').addEventListener('click', () => copy(current.judgement?.nacbrac || '', 'Nacbrac'));
find('assumed').addEventListener('click', tried(resolveText));
find('equities').addEventListener('toggle', followBoard);
whenShown(followBoard);
