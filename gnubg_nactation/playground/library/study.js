// Your mistakes, asked again at growing intervals, without saying what kind they were.

import { element, find, small } from '../../web/kit/dom.js';
import { recall, store } from '../../web/kit/storage.js';
import { points } from '../../web/kit/words.js';
import { data } from '../data.js';
import { boardOf, shareButtons, stageDecision } from '../board/decision.js';
import { enterPlays } from '../board/moving.js';
import { leaveTyping, linkOf } from '../board/typing.js';
import { againWords, answered, CLOSE, countsOf, dayOf, formatProgress, nextQuestion, parseProgress } from '../learn/schedule.js';
import { showDue } from '../learn/learn.js';
import { button, field, keyOf, list, renew, save, tried, trouble } from '../parts.js';
import { ask, engineProblem, engineSettled, Stopped } from '../python.js';
import { playButton, ratingOf, stage, START } from '../stage.js';
import { addView } from '../views.js';
import { ASKED, bestPlayOf, inProse, LEAST, linkToDecision, placeWords, tileOf, toMatches } from './leaks.js';
import { askLibrary, isNameless, whenMatches } from './shelf.js';
import { yourSide } from './game.js';
import { isAbout, keptNotes } from './keeping.js';
import { nameOf, noteBox, PROGRESS } from './notes.js';

const DUE = keyOf('mistakes due'); // the progress of what the library has
/** The answers about the cube, of which one was made. @type {(made: string) => string[]} */
const answersOf = (made) => (/take|pass|drop/.test(made) ? ['take', 'pass'] : ['double', 'no double']);
const SOME = 20; // cards that are made at a time
const NAMELESS = 'Add matches and say who you are; then your mistakes are asked here.';

let progress = parseProgress(recall(PROGRESS));
/** The decisions and the notes by the names of the decisions, the question on the board with its plays, and why the mistakes are not known. @type {{all: Map<string, Decision>, notes: Map<string, Note>, asked: string[], now: Decision | null, options: Option[], done: boolean, round: number, problem: string}} */
const course = { all: new Map(), notes: new Map(), asked: [], now: null, options: [], done: true, round: 0, problem: '' };
const today = () => dayOf(new Date());
const isOpen = () => document.documentElement.dataset.view === 'study';

/** The decks by their names in the menu, to which a decision belongs. @type {(name: string, decision: Decision) => string[]} */
function decksOf(name, { theme, phase, opening, players, xgid, lost }) {
  const { isStarred = false, tags = [] } = course.notes.get(name) || {};
  const length = xgid.split(':')[8];
  return [...(Math.round(1000 * lost) >= 1000 * LEAST && (theme || isYours(name, players)) ? ['all mistakes'] : []), ...(isStarred ? ['starred'] : []), ...tags.map((tag) => `tag: ${tag}`), ...(theme ? [`theme: ${theme}`, `phase: ${phase}`] : []),
    ...(opening ? [`opening: ${opening}`] : []), `match: ${players.join(' – ')}`, `length: ${length === '0' ? 'money' : `to ${length}`}`];
}

/** Whether a decision is yours; one that you noted may be your opponent's. @type {(name: string, players: string[]) => boolean} */
const isYours = (name, players) => yourSide(players) === Number(/bc?$/.test(name));

const deckNow = () => [...course.all].filter(([name, decision]) => decksOf(name, decision).includes(field('deck').value)).map(([name]) => name);

function showDecks() {
  const before = field('deck').value;
  const counts = new Map();
  for (const [name, decision] of course.all) for (const deck of decksOf(name, decision)) counts.set(deck, (counts.get(deck) || 0) + 1);
  const decks = [...counts].sort(([one, many], [other, more]) => Number(one.includes(':')) - Number(other.includes(':')) || more - many || (one < other ? -1 : 1));
  renew(find('deck'), decks.map(([deck, count]) => element('option', { value: deck }, `${deck} (${count})`)));
  field('deck').value = counts.has(before) ? before : decks[0]?.[0] || '';
  for (const each of [find('deck').parentElement, find('study-cards')]) each.hidden = !counts.size;
}

async function open(/** @type {string} */ deck) {
  leaveTyping();
  stage(START, ['']);
  renew(find('study-asked'), ['Looking for your mistakes…']);
  await gather();
  if (isOpen() && find('deck').querySelector(`[value="${CSS.escape(deck)}"]`)) field('deck').value = deck;
  next();
}

async function gather() {
  const notes = await keptNotes().catch(() => new Map());
  /** @type {[string, Decision][]} */
  const noted = [...notes].map(([name, { decision }]) => [name, decision]);
  course.problem = '';
  try {
    const decisions = /** @type {Decision[]} */ (await askLibrary('library_mistakes', {}, ASKED, '', LEAST));
    course.all = new Map([...noted, ...decisions.map((decision) => /** @type {[string, Decision]} */ ([nameOf(decision), decision]))]);
  } catch (error) {
    course.all = new Map(noted);
    course.problem = isNameless(error) ? NAMELESS : error.message;
  }
  showNotes(notes);
}

/** Whether the mistakes are known: without a name there are none. */
const isKnown = () => !course.problem || course.problem === NAMELESS;

/** Show the decks, with what is noted about their decisions. */
function showNotes(/** @type {Map<string, Note>} */ notes) {
  course.notes = new Map([...notes].filter(([name, note]) => isAbout(note, course.all.get(name) || note.decision)));
  showDecks();
}

/** Read the notes again after a change. */
const renote = async () => showNotes(await keptNotes());

function showCounts() {
  const deck = deckNow();
  const { due, fresh, learnt } = countsOf(deck, progress, today());
  find('study-due').textContent = course.all.size ? `${due} due, ${fresh} new, ${learnt} of ${deck.length} learnt` : '';
  if (isKnown()) store(DUE, formatProgress(new Map([...progress].filter(([name]) => course.all.has(name)))));
  showDue();
}

async function next() {
  if (!isOpen()) return;
  const now = course.round += 1;
  progress = parseProgress(recall(PROGRESS) || formatProgress(progress)); // another tab may have changed it
  const name = nextQuestion(deckNow(), progress, today(), course.asked, () => 0);
  Object.assign(course, { now: null, options: [], done: true });
  find('study-outcome').hidden = true;
  find('study-guesses').replaceChildren();
  enterPlays(null);
  showCounts();
  if (!name) {
    const isEmpty = !course.problem && !course.all.size;
    const said = isEmpty ? 'No analysed decision of yours was a mistake. Add matches, or analyse more of them.' : 'Nothing is left for today. Come back tomorrow, or choose another deck.';
    renew(find('study-asked'), [course.problem || said, ...isEmpty || course.problem === NAMELESS ? [' ', toMatches()] : []]);
    return;
  }
  const decision = /** @type {Decision} */ (course.all.get(name));
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
  course.asked.push(name);
  renew(find('study-asked'), [roll ? 'You have ' : 'It is your decision about the cube. ', ...(roll ? [element('b', {}, roll), ' to play. Move the checkers, or choose.'] : [])]);
  if (roll) {
    list(find('study-guesses'), options, (/** @type {Option} */ option) => playButton(option, () => answer(option.said)));
  } else {
    list(find('study-guesses'), answersOf(made), (name) => button(() => answer(name), inProse(name)));
  }
  stageDecision(decision);
  enterPlays(desk);
}

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
  const best = await bestPlayOf(decision);
  if (now !== course.round || !isOpen()) return;
  plays = ratedPlays(decision, best, plays);
  const rated = plays.find((play) => play.said === said);
  const loss = rated && thousandths(rated.loss);
  const isRight = decision.roll ? said === best || (loss ?? Infinity) <= CLOSE : said === decision.best;
  progress = answered(parseProgress(recall(PROGRESS) || formatProgress(progress)), nameOf(decision), isRight, today());
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

const thousandths = (/** @type {string} */ loss) => Math.round(1000 * Number((loss || '0').replace('−', '')));

/** The plays of an answer, the best first. What the match's analysis has about its play and the best one is shown; the engine judges only the others if it does not agree. @type {(decision: Decision, best: string, plays: any[]) => any[]} */
function ratedPlays({ play, lost }, best, plays) {
  const figure = lost ? `−${points(1000 * lost)}` : '';
  if (plays[0]?.said === best && plays.some(({ said, loss }) => said === play && loss === figure)) return plays;
  /** @type {Record<string, any>} */
  const known = { [play || '']: { equity: '', loss: figure, isKnown: true }, [best]: { equity: '', loss: '', isKnown: true } };
  return plays.map((option) => ({ ...option, ...known[option.said] }))
    .sort((one, other) => Number(other.said === best) - Number(one.said === best) || thousandths(one.loss) - thousandths(other.loss));
}

/** @type {(decision: Decision, said: string, isRight: boolean, loss: number | undefined, best: string, plays: any[]) => void} */
function showVerdict(decision, said, isRight, loss, best, plays) {
  const { made, play, lost, best: letter, place } = decision;
  const isSplit = plays.some(({ isKnown }) => isKnown);
  renew(find('study-verdict'), [element('b', { className: isRight ? 'right' : 'trouble' }, isRight ? 'Right. ' : 'Wrong. '),
    ...(!isRight && loss && said !== play ? [`${said} loses ${points(loss)}. `] : []),
    ...(decision.roll ? ['Best: ', tileOf(letter || '?'), ` ${best}. In the match: `, tileOf(made), ` ${play}, `] : [`Best: ${inProse(letter || '')}. In the match: ${inProse(made)}, `]),
    ...(lost ? [element('span', { className: 'trouble' }, `−${points(1000 * lost)}`), isSplit ? ' according to its analysis. ' : '. '] : []), small(againWords(progress, nameOf(decision)))]);
  find('study-plays').replaceChildren(...plays.slice(0, 5).map((option) => {
    const { look, token = '' } = course.options.find((other) => other.said === option.said) || {};
    return element('li', {}, playButton({ look, token, said: option.said }, () => stage(boardOf(decision, option.said), [option.said]), ratingOf(option, '')));
  }));
  find('study-guesses').replaceChildren();
  renew(find('study-place'), [element('a', { href: linkToDecision(decision), title: place }, placeWords(decision)),
    ...(isSplit ? [small(' Other plays are judged at 0-ply by GNU Backgammon’s evaluation, in this page.')] : [])]);
  find('study-links').replaceChildren(...shareButtons(() => sharedOf(decision, best, plays)));
  find('study-notes').replaceChildren(noteBox(decision, renote));
  find('study-analyse').setAttribute('href', linkOf(decision.xgid));
  stage(boardOf(decision, best), [inProse(best || letter || '')]);
  find('study-outcome').hidden = false;
  showCounts();
  find('study-next').focus({ preventScroll: true });
  find('study-verdict').scrollIntoView({ block: 'nearest' });
}

/** The decision for a link: with the engine's plays, else with the best choice and that of the match. @type {(decision: Decision, best: string, plays: any[]) => SharedDecision} */
function sharedOf({ xgid, roll, made, play, best: letter, lost, players }, best, plays) {
  const lookOf = (/** @type {string} */ said) => course.options.find((option) => option.said === said)?.look?.name || '';
  const loss = `−${points(1000 * lost)}`;
  const two = roll ? [[letter || '', best], [made, play || '']].slice(lost ? 0 : 1) : [letter || '', ...answersOf(made).filter((name) => name !== letter)].map((said) => ['', inProse(said)]);
  const choices = plays.length
    ? plays.map((option) => ({ name: lookOf(option.said), said: option.said, equity: option.equity, loss: option.loss || '', note: '', isMade: option.said === play }))
    : two.map(([name, said], at) => ({ name, said, equity: '', loss: lost && at ? loss : '', note: '', isMade: at === Number(lost > 0) }));
  return { xgid, source: players.join(' – '), choices: choices.filter(({ said }) => said) };
}

/** Save the deck as a file for Anki, some cards at a time. */
async function saveCards() {
  const status = find('study-cards-status');
  const names = deckNow();
  let text = '';
  try {
    for (let at = 0; at < names.length; at += SOME) {
      status.textContent = `${at} of ${names.length}…`;
      const some = names.slice(at, at + SOME).map((name) => ({ ...course.all.get(name), note: course.notes.get(name) || null }));
      const { head, rows } = await askLibrary('library_cards', some);
      text = (text || head) + rows;
    }
    save(`${field('deck').value.replace(/[^\p{L}\p{N}-]+/gu, '-')}.txt`, new Blob([text], { type: 'text/plain' }));
  } finally {
    status.textContent = '';
  }
}

/** @type {Desk} */
const desk = {
  toPlay: () => (isOpen() && course.now?.roll && !course.done ? boardOf(course.now) : null),
  play(isPlayed) {
    const option = course.options.find(({ said }) => isPlayed(said));
    if (option) answer(option.said);
    return Boolean(option);
  },
  box: find('study-movers'),
  after: () => find('study-next'),
};

addView('study', 'study', open, true);
whenMatches(async () => {
  if (!isOpen()) return;
  await gather();
  if (!course.now) next();
});
field('deck').addEventListener('change', () => {
  course.asked = [];
  next();
});
find('study-next').addEventListener('click', next);
find('study-cards').addEventListener('click', tried(saveCards));
