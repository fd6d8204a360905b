// A decision that an address carries with its analysis, so that a link needs no server and no Python:
// `#decision=` shows it, `#question=` asks it first.

import { element, find, paragraph, press, small } from '../../web/kit/dom.js';
import { coded, turnOf } from '../embedded.js';
import { CLOSE } from '../learn/schedule.js';
import { button, card, copy, isPublic, lookOf } from '../parts.js';
import { COLOURS, playButton, ratingOf, stage } from '../stage.js';
import { addView } from '../views.js';
import { enterPlays } from './moving.js';
import { leaveTyping, linkOf } from './typing.js';

const MOST = 12; // choices of a link
const MAX_WORDS = 60;
const FIGURE = /^(?:[+−]?\d{0,2}\.\d{3})?$/;

/** The address of a decision. @type {(decision: SharedDecision, view: 'decision' | 'question') => string} */
export function addressOf({ xgid, choices, source }, view) {
  const made = choices.filter(({ isMade }, at) => isMade && at >= MOST);
  const parts = [...choices.slice(0, MOST), ...made].map(({ name, said, equity, loss, note, isMade }) => [name, said, equity, loss, note, isMade ? 'm' : ''].map(coded).join(','));
  return `${location.href.split('#')[0]}#${view}=${[xgid.replace('XGID=', ''), source].map(coded).join(',')};${parts.join(';')}`;
}

/** The decision of an anchor; null if anything in it is wrong. @type {(anchor: string) => SharedDecision | null} */
function readDecision(anchor) {
  const [, head, rest = ''] = /^#(?:decision|question)=([^;]+);(.+)$/.exec(anchor) || [];
  const parts = rest.split(';');
  if (!head || parts.length > MOST + 1) return null;
  try {
    const [xgid, source = ''] = head.split(',');
    const turn = turnOf(xgid);
    const choices = parts.flatMap((part) => {
      const [name, said = '', equity = '', loss = '', note = '', made = ''] = part.split(',').map(decodeURIComponent);
      const isRight = turn && said && (turn.roll ? turnOf([xgid, ...[name, said].map(encodeURIComponent)].join(',')) : said.length < MAX_WORDS) && note.length < MAX_WORDS;
      return isRight && FIGURE.test(equity) && FIGURE.test(loss) ? [{ name, said, equity, loss, note, isMade: made === 'm' }] : [];
    });
    return turn && choices.length === parts.length ? { xgid: turn.xgid, choices, source: decodeURIComponent(source).slice(0, MAX_WORDS) } : null;
  } catch {
    return null; // not encoded as an address
  }
}

/** Buttons that copy the link of a decision: with its analysis, or as a question. @type {(of: () => SharedDecision) => any[]} */
export const shareButtons = (of) => (isPublic ? [
  button(() => copy(addressOf(of(), 'decision'), 'Link'), 'Copy link'),
  button(() => copy(addressOf(of(), 'question'), 'Question'), 'Copy question'),
] : []);

/** What is shown now, and whether its answer is hidden. @type {{decision: SharedDecision | null, isAsked: boolean}} */
const now = { decision: null, isAsked: false };
const movers = element('div', { className: 'row', role: 'group', ariaLabel: 'Move a checker from' });
const isOpen = () => ['decision', 'question'].includes(document.documentElement.dataset.view || '');

/** The board with the player who decides, and the arrows of a play. @type {(decision: {xgid: string}, said?: string) => Answer} */
export function boardOf({ xgid }, said = '') {
  const turn = /** @type {Answer} */ (turnOf(xgid.replace('XGID=', '')));
  return { ...turn, said: turn.roll ? said : '' };
}

/** @type {(decision: {xgid: string}, said?: string) => void} */
export function stageDecision(decision, said = '') {
  const { player, roll } = boardOf(decision);
  stage(boardOf(decision, said), [`${COLOURS[player]} ${roll ? `${said ? 'plays' : 'to play'} ${roll}${said && `: ${said}`}` : 'and the cube'}`]);
}

function open() {
  leaveTyping();
  const decision = readDecision(location.hash);
  Object.assign(now, { decision, isAsked: document.documentElement.dataset.view === 'question' });
  if (!decision) {
    find('decision').replaceChildren(paragraph('This link is damaged or incomplete.'));
    return;
  }
  if (!now.isAsked) {
    showAnswer(decision);
    return;
  }
  const { roll } = boardOf(decision);
  const sorted = decision.choices.toSorted((one, other) => (one.said < other.said ? -1 : 1));
  find('decision').replaceChildren(card('Your play?', paragraph(small(roll ? 'Move the checkers, or choose a play.' : 'Choose.')),
    element('p', { className: 'row' }, ...sorted.map((choice) => button(() => answer(choice.said), choice.said))), movers,
    element('p', { className: 'row' }, button(() => answer(''), 'Show the answer'))));
  stageDecision(decision);
  enterPlays(desk);
}

/** Judge an answer; an empty one gives up. @type {(said: string) => void} */
function answer(said) {
  const { decision } = now;
  if (!decision || !now.isAsked) return;
  now.isAsked = false;
  const verdict = verdictOf(decision, said);
  showAnswer(decision, verdict ? [element('p', { className: verdict.startsWith(RIGHT) ? 'right' : 'trouble', role: 'status' }, verdict)] : []);
}

const RIGHT = 'Right.';

/** @type {(decision: SharedDecision, said: string) => string} */
function verdictOf({ choices }, said) {
  const [best] = choices;
  const chosen = choices.find((choice) => choice.said === said);
  if (!chosen) return said && 'Wrong: that play is not among the best.';
  const loss = chosen.loss.slice(1);
  if (1000 * Number(loss) > CLOSE) return `Wrong: ${said} loses ${loss}.`;
  if (Number(loss)) return `${RIGHT} ${said} loses only ${loss}.`;
  return chosen === best || chosen.equity ? RIGHT : `Wrong: best is ${best.said}.`; // its loss is unknown
}

/** @type {(decision: SharedDecision, verdict?: Part[]) => void} */
function showAnswer(decision, verdict = []) {
  enterPlays(null);
  const { choices, source, xgid } = decision;
  const rows = choices.map(({ name, said, equity, loss, note, isMade }) => {
    const row = playButton({ look: name ? lookOf(name) : undefined, token: '', said }, () => {
      for (const other of rows) press(other, other === row);
      stageDecision(decision, said);
    }, ratingOf({ equity, loss }, [note, isMade ? 'played' : ''].filter(Boolean).join(' · ')));
    if (isMade) row.setAttribute('aria-current', 'true');
    return row;
  });
  find('decision').replaceChildren(card('Best plays', ...verdict, element('ul', { className: 'options rated all' }, ...rows.map((row) => element('li', {}, row))), paragraph(small(source)),
    element('p', { className: 'row' }, element('a', { className: 'button', href: linkOf(xgid) }, 'Analyse'), ...shareButtons(() => decision))));
  stageDecision(decision, choices[0].said);
}

/** @type {Desk} */
const desk = {
  toPlay: () => (isOpen() && now.isAsked && now.decision && boardOf(now.decision).roll ? boardOf(now.decision) : null),
  play(isPlayed) {
    answer(now.decision?.choices.find(({ said }) => isPlayed(said))?.said || 'another play');
    return true;
  },
  box: movers,
  after: () => find('decision').querySelector('a') || movers,
};

addView('decision', 'decision', open);
addView('question', 'decision', open);
