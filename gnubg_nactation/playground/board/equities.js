// The engine's judgement of the turn on the board: equities in the list of plays, the nacbrac, the
// cube. It follows each key at 0-ply, and a pause at 2-ply, in steps that do not delay the next key.

import { element, find, listOf, paragraph, small } from '../../web/kit/dom.js';
import { data } from '../data.js';
import { recall, store } from '../../web/kit/storage.js';
import { chancesText } from '../../web/kit/words.js';
import { button, copy, debounced, keyOf, renew, tried, trouble } from '../parts.js';
import { ask, engineProblem, latest, needEngine } from '../python.js';
import { ratingOf, START } from '../stage.js';
import { offerRollout } from './rollout.js';
import { act, explainedAt, isAnswered, optionsNow, shown, sortLikely, whenShown } from './typing.js';

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

/** The turn to judge: the one on the board; after a play by hand that play. */
function subject() {
  if (!shown.reply || !isAnswered() || shown.reply.unfinished) return -1;
  if (shown.view === 's' && !shown.text.trim()) return -1; // nothing is typed yet
  return shown.isByHand ? explainedAt() : shown.chosen;
}

/** @type {(key: string, at: number) => typeof current} */
function newSubject(key, at) {
  return { key, text: shown.text, at, judgement: null, problem: '', isAsked: false, isStopped: false };
}

/** What the judgement of a turn depends on: the letter that is typed after a roll changes nothing. */
function subjectKey(/** @type {number} */ at) {
  const { start, turns, state } = /** @type {Reply} */ (shown.reply);
  const { xgid, cube } = turns[at] || state;
  return JSON.stringify([start, turns.slice(0, at).map(({ token, look, xgid }) => [token, look, xgid]), xgid, cube]);
}

const isOn = () => find('engine').getAttribute('aria-checked') === 'true';
const isWanted = () => shown.active && isAnswered() && engineProblem() === '' && isOn();
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
  const at = subject();
  find('equities').hidden = !shown.active || at < 0;
  if (!data.engine) return;
  find('assumed').hidden = !shown.reply?.turns.some(({ reading }) => reading === 'assumed');
  find('resolved').replaceChildren();
  const key = at < 0 ? '' : subjectKey(at);
  if (key !== current.key) current = newSubject(key, at);
  if (!current.judgement && shown.text === data.first.text && at === 2) current.judgement = data.first.judgement;
  if (!key) return;
  if (engineProblem() !== '') current.isAsked = false; // its answer was lost
  if (engineProblem() === null && shown.active && isOn()) needEngine();
  goOn();
  showJudgement();
}

/** Who judged, and how deeply; the first screen is judged by the book. @type {(level: string) => string} */
const levelWords = (level) => (level.endsWith('ply') ? `${BOT}, ${level}` : level);

/** What is shown: nothing while the engine is off. */
const judged = () => (isOn() ? current.judgement : null);

/** The judgement of the board as an address carries it. Throws an error if there is none. @type {() => SharedDecision} */
export function sharedNow() {
  const judgement = judged();
  if (!judgement || subject() < 0 || subjectKey(subject()) !== current.key) throw new Error('There is no analysis of this position yet.');
  const { plays, actions = [], level } = judgement;
  const { xgid } = shown.reply?.turns[current.at] || shown.reply?.state || START;
  const { options = [] } = optionsNow();
  const made = shown.reply?.turns[current.at]?.said;
  const choices = plays
    ? plays.map((play) => ({ ...play, name: options.find(({ said }) => said === play.said)?.look?.name || '', note: noteOf(play), isMade: play.said === made }))
    : actions.map(([said, equity, loss]) => ({ name: '', said, equity, loss, note: '', isMade: false }));
  if (!choices.length) throw new Error('There is nothing to decide in this position.');
  return { xgid, source: levelWords(level), choices };
}

function showJudgement() {
  const judgement = judged();
  const nacbrac = judgement?.nacbrac || '';
  find('nacbrac').textContent = nacbrac;
  find('nacbrac-copy').hidden = !nacbrac;
  find('depth').textContent = judgement ? levelWords(judgement.level) : BOT;
  find('deepening').hidden = !judgement || isDeep() || current.isStopped;
  renew(find('judgement'), judgementParts());
  ratePlays();
  const { xgid } = shown.reply?.turns[current.at] || shown.reply?.state || START;
  offerRollout(judgement?.plays && judgement.plays.length > 1 ? current.key : '', current.text, current.at, xgid);
}

/** @type {() => Node[]} */
function judgementParts() {
  const judgement = judged();
  const problem = current.problem || (engineProblem() ?? '');
  if (problem) return [trouble(current.problem ? problem : `No equities: ${problem}`)];
  if (!judgement) return isOn() ? [paragraph(small('…'))] : [];
  const { actions, chances, equity } = judgement;
  const parts = [];
  for (const [action, worth, loss] of actions || []) {
    parts.push(paragraph(element('b', {}, worth), ` ${action}`, ...(loss ? [small(` ${loss}`)] : [])));
  }
  if (chances) parts.push(paragraph(...(actions ? [] : [element('b', {}, equity || ''), ' ']), small(chancesText(chances))));
  return parts;
}

/** The chances of a play, and how deeply it was searched if less than the best. @type {(play: RatedPlay) => string} */
const noteOf = ({ chances, level }) => [chances.length ? chancesText(chances) : '', level].filter(Boolean).join(' · ');

/** The rating in each row of the list. @type {WeakMap<Element, RatedPlay | undefined>} */
const ratings = new WeakMap();

let sorted = ''; // the key of the turn whose plays are in order
let isPointed = false; // whether the pointer has moved over them since; a list that comes under it is nobody's choice

/** Show equities in the list of plays, and sort it; again only if nobody is about to choose from it. */
function ratePlays() {
  const box = find('options');
  const plays = judged()?.plays || [];
  box.classList.toggle('rated', plays.length > 0);
  const ranks = new Map(plays.map(({ said }, rank) => [said, rank]));
  const rows = [...box.children];
  for (const row of rows) {
    const play = plays[ranks.get(row.dataset.said) ?? -1];
    if (play === ratings.get(row)) continue;
    row.querySelector('.rating')?.remove();
    if (play) row.firstElementChild.append(ratingOf(play, noteOf(play)));
    ratings.set(row, play);
  }
  if (plays.length) sortLikely(plays.map(({ said }) => said));
  if (!plays.length || box.matches(':focus-within') || (sorted === current.key && isPointed)) return;
  if (sorted !== current.key) isPointed = false;
  sorted = current.key;
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
find('options').addEventListener('pointermove', () => { isPointed = true; });
find('options').addEventListener('pointerleave', () => {
  isPointed = false;
  ratePlays();
});
find('deepening').append(small(`${DEEP}-ply follows `), button(() => { current.isStopped = true; showJudgement(); }, 'Stop'));
find('nacbrac-copy').addEventListener('click', () => copy(current.judgement?.nacbrac || '', 'Nacbrac'));
find('assumed').addEventListener('click', tried(resolveText, (message) => find('resolved').replaceChildren(trouble(message))));
find('engine').hidden = !data.engine;
find('engine').setAttribute('aria-checked', String(recall(keyOf('engine')) !== 'off'));
find('engine').addEventListener('click', () => {
  find('engine').setAttribute('aria-checked', String(!isOn()));
  store(keyOf('engine'), isOn() ? '' : 'off');
  followBoard();
});
whenShown(followBoard);
