// Your mistakes, asked again at growing intervals, without saying what kind they were.

import { element, find, glyphOf, small } from '../../web/kit/dom.js';
import { recall, store } from '../../web/kit/storage.js';
import { counted, points } from '../../web/kit/words.js';
import { data } from '../data.js';
import { enterPlays } from '../board/moving.js';
import { leaveTyping, linkOf } from '../board/typing.js';
import { answered, countsOf, dayOf, formatProgress, INTERVALS, nextQuestion, parseProgress } from '../learn/schedule.js';
import { button, field, keyOf, list, renew, trouble } from '../parts.js';
import { ask, engineProblem, engineSettled, Stopped } from '../python.js';
import { playButton, ratingOf, stage, START } from '../stage.js';
import { addView } from '../views.js';
import { linkToDecision } from './leaks.js';
import { askLibrary, whenMatches } from './shelf.js';

const PROGRESS = keyOf('mistakes');
const STARS = keyOf('stars');
const CLOSE = 10; // thousandths of a point that a right play may lose
const ANSWERS = { take: ['take', 'pass'], double: ['double', 'no double'] };
const STARRED = 'starred';

let progress = parseProgress(recall(PROGRESS));
/** The places of the decisions that are starred, also in another tab. */
const starred = () => new Set(recall(STARS).split('\n').filter(Boolean));
/** The decisions by their places, and the question on the board with its plays. @type {{all: Map<string, Decision>, asked: string[], now: Decision | null, options: Option[], done: boolean, round: number}} */
const course = { all: new Map(), asked: [], now: null, options: [], done: true, round: 0 };
const today = () => dayOf(new Date());
const isOpen = () => document.documentElement.dataset.view === 'study';

/** The decks by their names in the menu, with what belongs to them. @type {(decision: Decision, stars: Set<string>) => string[]} */
const decksOf = ({ theme, phase, opening, players, place, xgid }, stars) => ['all mistakes', ...(stars.has(place) ? [STARRED] : []),
  `theme: ${theme}`, `phase: ${phase}`, ...(opening ? [`opening: ${opening}`] : []), `match: ${players.join(' – ')}`, `length: ${xgid.split(':')[8] === '0' ? 'money' : `to ${xgid.split(':')[8]}`}`];

function deckNow() {
  const stars = starred();
  return [...course.all.values()].filter((decision) => decksOf(decision, stars).includes(field('deck').value)).map(({ place }) => place);
}

function showDecks() {
  const before = field('deck').value;
  const stars = starred();
  const counts = new Map();
  for (const decision of course.all.values()) for (const deck of decksOf(decision, stars)) counts.set(deck, (counts.get(deck) || 0) + 1);
  find('deck').replaceChildren(...[...counts].sort(([one, many], [other, more]) => Number(one.includes(':')) - Number(other.includes(':')) || more - many || (one < other ? -1 : 1))
    .map(([deck, count]) => element('option', { value: deck }, `${deck} (${count})`)));
  field('deck').value = counts.has(before) ? before : 'all mistakes';
}

async function open(/** @type {string} */ deck) {
  leaveTyping();
  stage(START, ['']);
  renew(find('study-asked'), ['Looking for your mistakes…']);
  await gather();
  if (deck && isOpen()) field('deck').value = deck;
  next();
}

async function gather() {
  try {
    const decisions = /** @type {Decision[]} */ (await askLibrary('library_mistakes', {}));
    course.all = new Map(decisions.map((decision) => [decision.place, decision]));
  } catch (error) {
    course.all = new Map();
    if (isOpen()) renew(find('study-asked'), [error.message.startsWith('whose ') ? 'Add matches and say who you are; then your mistakes are asked here.' : trouble(error.message)]);
  }
  showDecks();
}

function showCounts() {
  const deck = deckNow();
  const { due, fresh, learnt } = countsOf(deck, progress, today());
  find('study-due').textContent = course.all.size ? `${due} due, ${fresh} new, ${learnt} of ${deck.length} learnt` : '';
}

async function next() {
  if (!isOpen()) return;
  const now = course.round += 1;
  const place = nextQuestion(deckNow(), progress, today(), course.asked);
  Object.assign(course, { now: null, options: [], done: true });
  find('study-outcome').hidden = true;
  find('study-guesses').replaceChildren();
  enterPlays(null);
  showCounts();
  if (!place) {
    if (course.all.size) renew(find('study-asked'), ['Nothing is left for today. Come back tomorrow, or choose another deck.']);
    else if (!find('study-asked').textContent.startsWith('Add')) renew(find('study-asked'), ['No analysed decision of yours lost anything. Analyse matches in the library.']);
    return;
  }
  const decision = /** @type {Decision} */ (course.all.get(place));
  const { roll, xgid, made } = decision;
  let options = [];
  if (roll) {
    try {
      const reply = await ask('read_text', [xgid]);
      options = reply.options || [];
    } catch (error) {
      if (now === course.round) renew(find('study-asked'), [error instanceof Stopped ? 'The questions appear when the program has loaded.' : trouble(error.message)]);
      return;
    }
    if (now !== course.round || !isOpen()) return;
  }
  Object.assign(course, { now: decision, options, done: false });
  course.asked.push(place);
  renew(find('study-asked'), [roll ? 'You have ' : 'It is your decision about the cube. ', ...(roll ? [element('b', {}, roll), ' to play. Move the checkers, or choose.'] : [])]);
  if (roll) {
    list(find('study-guesses'), options, (/** @type {Option} */ option) => playButton(option, () => answer(option.said)));
  } else {
    const names = ANSWERS[/take|drop/.test(made) ? 'take' : 'double'];
    list(find('study-guesses'), names, (name) => button(() => answer(name), name));
  }
  stage(sceneAnswer(decision), [roll ? `White to play ${roll}` : 'White and the cube']);
  enterPlays(desk);
}

/** @type {(decision: Decision, said?: string) => Answer} */
const sceneAnswer = ({ xgid, roll }, said = '') => ({ xgid, player: 0, roll: roll || '', said });

/** Judge an answer: a play, or a cube action. @type {(said: string) => Promise<void>} */
async function answer(said) {
  const decision = course.now;
  if (!decision || course.done) return;
  course.done = true;
  const now = course.round;
  enterPlays(null);
  /** @type {any[]} */
  let plays = [];
  if (decision.roll && data.engine) {
    renew(find('study-verdict'), ['Looking…']);
    find('study-outcome').hidden = false;
    await engineSettled();
    if (!engineProblem()) plays = await judged(decision.xgid);
  }
  const best = decision.roll && decision.best ? await ask('play_named', [decision.xgid, decision.roll, decision.best]).catch(() => '') : '';
  if (now !== course.round || !isOpen()) return;
  const rated = plays.find((play) => play.said === said);
  const loss = rated ? Math.round(Math.abs(Number(String(rated.loss || '0').replace('−', '-'))) * 1000) : undefined;
  const isRight = decision.roll ? said === best || (loss ?? Infinity) <= CLOSE : said === decision.best;
  progress = answered(parseProgress(recall(PROGRESS) || formatProgress(progress)), decision.place, isRight, today());
  store(PROGRESS, formatProgress(progress));
  showVerdict(decision, said, isRight, loss, best, plays);
}

/** The plays of a position by the engine, the best first. */
async function judged(/** @type {string} */ xgid) {
  for (;;) {
    const judgement = await ask('equities', [xgid, 0, 0]).catch(() => ({ plays: [] }));
    if (!judgement.unfinished) return judgement.plays || [];
  }
}

/** @type {(decision: Decision, said: string, isRight: boolean, loss: number | undefined, best: string, plays: any[]) => void} */
function showVerdict(decision, said, isRight, loss, best, plays) {
  const days = INTERVALS[progress.get(decision.place)?.box || 0];
  const { made, play, lost, best: letter, place } = decision;
  renew(find('study-verdict'), [element('b', { className: isRight ? 'right' : 'trouble' }, isRight ? 'Right. ' : 'Wrong. '),
    ...(!isRight && loss ? [`${said} loses ${points(loss)}. `] : []),
    ...(decision.roll ? ['Best: ', glyphOf({ text: letter || '?' }), ` ${best}. In the match: `, glyphOf({ text: made }), ` ${play}, `] : [`Best: ${letter}. In the match: ${made}, `]),
    element('span', { className: 'trouble' }, `−${points(1000 * lost)}`), '. ', small(days ? `It comes again in ${counted(days, 'day')}.` : 'It comes again soon.')]);
  list(find('study-plays'), plays.slice(0, 5), (option) => {
    const { look, token = '' } = course.options.find((other) => other.said === option.said) || {};
    return element('li', {}, playButton({ look, token, said: option.said }, () => stage(sceneAnswer(decision, option.said), [option.said]), ratingOf(option, '')));
  });
  find('study-guesses').replaceChildren();
  renew(find('study-place'), [element('a', { href: linkToDecision(decision) }, place)]);
  find('study-star').setAttribute('aria-pressed', String(starred().has(place)));
  find('study-analyse').setAttribute('href', linkOf(decision.xgid));
  stage(sceneAnswer(decision, best), [best || letter || '']);
  find('study-outcome').hidden = false;
  showCounts();
  find('study-next').focus({ preventScroll: true });
}

/** @type {Desk} */
const desk = {
  toPlay: () => (isOpen() && course.now?.roll && !course.done ? sceneAnswer(course.now) : null),
  play(isPlayed) {
    const option = course.options.find(({ said }) => isPlayed(said));
    if (option) answer(option.said);
    return Boolean(option);
  },
  moved() {},
  instead: () => [],
  box: find('study-movers'),
  after: () => find('study-next'),
};

addView('study', 'study', open, true);
whenMatches(() => { if (isOpen()) gather(); });
field('deck').addEventListener('change', () => {
  course.asked = [];
  next();
});
find('study-next').addEventListener('click', next);
find('study-star').addEventListener('click', () => {
  const place = course.now?.place || '';
  const stars = starred();
  if (!stars.delete(place)) stars.add(place);
  store(STARS, [...stars].join('\n'));
  find('study-star').setAttribute('aria-pressed', String(stars.has(place)));
  showDecks();
});
