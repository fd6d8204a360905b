// The engine's judgement of the turn on the board: equities in the list of plays, the nacbrac, the
// cube. It follows each key at 0-ply, and a pause at 2-ply, in steps that do not delay the next key.

import { element, find, listOf, paragraph, small } from '../web/kit/dom.js';
import { data } from './data.js';
import { button, copy, debounced, renew, tried, trouble } from './parts.js';
import { ask, engineProblem, latest, needEngine } from './python.js';
import { ratingOf } from './stage.js';
import { act, explainedAt, isAnswered, shown, sortLikely, whenShown } from './typing.js';

const PAUSE = 300; // milliseconds after the last key
const DEEP = 2; // plies
const BOT = 'GNU Backgammon';

/** What is judged: a question, whose answer is the same for all texts with its `key`; its answers so far; whether it is under way, or was stopped. @type {{key: string, text: string, at: number, judgement: Judgement | null, problem: string, isAsked: boolean, isStopped: boolean}} */
let current = newSubject('', -1);
const isCurrent = (/** @type {string} */ text, /** @type {number} */ at) => text === current.text && at === current.at;

const judge = latest('equities', (/** @type {{value: Judgement, error?: string}} */ { value, error }, text, at, plies) => {
  if (!isCurrent(text, at)) return;
  if (value?.unfinished && isWanted() && !current.isStopped) {
    judge(text, at, plies);
    return;
  }
  current.isAsked = false;
  if (value?.unfinished) return;
  if (error) current.problem = error;
  else current.judgement = value;
  if (isWanted()) showJudgement();
  goOn();
});

const deepen = debounced((/** @type {string} */ text, /** @type {number} */ at) => {
  if (isCurrent(text, at)) begin(DEEP);
}, PAUSE);

/** The turn to judge: the one on the board, but in Play the last play made, as a hint would spoil the next. */
function subject() {
  if (!shown.reply || !isAnswered() || shown.reply.unfinished) return -1;
  if (shown.view === 's' && !shown.text.trim()) return -1; // nothing is typed yet
  if (shown.view !== 'play') return shown.chosen;
  const at = explainedAt();
  return shown.reply.turns[at]?.said ? at : -1;
}

/** @type {(key: string, at: number) => typeof current} */
function newSubject(key, at) {
  return { key, text: shown.text, at, judgement: null, problem: '', isAsked: false, isStopped: false };
}

/** What the judgement of a turn depends on: the letter that is typed after a roll changes nothing. */
function keyOf(/** @type {number} */ at) {
  const { start, turns, state } = /** @type {Reply} */ (shown.reply);
  const { xgid, cube } = turns[at] || state;
  return JSON.stringify([start, turns.slice(0, at).map(({ token, look, xgid }) => [token, look, xgid]), xgid, cube]);
}

const isWanted = () => shown.active && isAnswered() && engineProblem() === '' && find('equities').open;
const isDeep = () => current.judgement?.level === `${DEEP}-ply`;

function begin(/** @type {number} */ plies) {
  if (!isWanted() || current.isAsked || current.isStopped) return;
  current.isAsked = true;
  judge(current.text, current.at, plies);
}

/** Judge the turn at once, and deeper after a pause. */
function goOn() {
  const { text, at, judgement, problem } = current;
  if (problem) return;
  if (!judgement) begin(0);
  else if (!isDeep()) deepen(text, at);
}

/** Judge the turn on the board, if it is not judged yet. */
export function followBoard() {
  if (!data.engine) return;
  const at = subject();
  find('equities').hidden = !shown.active || at < 0;
  find('assumed').hidden = !shown.reply?.turns.some(({ reading }) => reading === 'assumed');
  find('resolved').replaceChildren();
  const key = at < 0 ? '' : keyOf(at);
  if (key !== current.key) current = newSubject(key, at);
  if (!key) return;
  if (engineProblem() !== '') current.isAsked = false; // its answer was lost
  if (engineProblem() === null && shown.active && find('equities').open) needEngine();
  goOn();
  showJudgement();
}

function stopSearch() {
  current.isStopped = true;
  showJudgement();
}

function showJudgement() {
  const { judgement, isStopped } = current;
  find('nacbrac-copy').hidden = !judgement?.nacbrac;
  find('depth').textContent = judgement ? `${BOT}, ${judgement.level}` : BOT;
  find('deepening').hidden = !judgement || isDeep() || isStopped;
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

/** The rating in each row of the list. @type {WeakMap<Element, RatedPlay | undefined>} */
const ratings = new WeakMap();

/** Show equities in the list of plays, and sort it, unless somebody is about to choose from it. */
function ratePlays() {
  const box = find('options');
  const isListed = shown.reply?.options && current.at >= shown.reply.turns.length - 1;
  const plays = isListed ? current.judgement?.plays || [] : [];
  box.classList.toggle('rated', plays.length > 0);
  const ranks = new Map(plays.map(({ said }, rank) => [said, rank]));
  const rows = [...box.children];
  for (const row of rows) {
    const play = plays[ranks.get(row.dataset.said) ?? -1];
    if (play === ratings.get(row)) continue;
    row.querySelector('.rating')?.remove();
    if (play) row.firstElementChild.append(ratingOf(play, `${chancesText(play.chances)}${play.level && ` · ${play.level}`}`));
    ratings.set(row, play);
  }
  if (plays.length) sortLikely(plays.map(({ said }) => said));
  if (!plays.length || box.matches(':hover, :focus-within')) return;
  const rankOf = (/** @type {any} */ row) => ranks.get(row.dataset.said) ?? rows.length;
  if (rows.some((row, at) => at && rankOf(row) < rankOf(rows[at - 1]))) {
    box.append(...rows.sort((one, other) => rankOf(one) - rankOf(other)));
  }
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
