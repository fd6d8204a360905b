// The opening book: rolls and plays are tapped or typed, and the text is the only state. A word
// after the sequence names a score, as in 31P-42 dmp.

import { element, find, glyphOf, press, small, unseen } from '../../web/kit/dom.js';
import { points } from '../../web/kit/words.js';
import { data } from '../data.js';
import { enterPlays } from '../board/moving.js';
import { CLOSE } from '../learn/schedule.js';
import { tokensOf } from '../board/tree.js';
import { button, copy, debounced, field, list, onSubmit, renew, replace } from '../parts.js';
import { latest } from '../python.js';
import { playButton, ratingOf, stage, START, words } from '../stage.js';
import { leaveTyping, linkOf, problemParts, unreadable } from '../board/typing.js';
import { addView } from '../views.js';

const DELAY = 60; // milliseconds after the last key
const CLEAR = 100;
const MAX_BRIEF = 4; // plays listed for a score
const MONEY = 'money';
/** The score from the side of the opponent. @type {Record<string, string>} */
const OF_OPPONENT = { gg: 'gs', gs: 'gg' };

/** @type {{text: string, reply: OpeningReply | null, answered: string}} */
const shown = { text: '', reply: null, answered: '' };
const isOpen = () => document.documentElement.dataset.view === 'openings';

const read = latest('opening', ({ value, error }, text) => {
  if (text === shown.text && isOpen()) show(error ? { ...unreadable(error), book: { text, score: MONEY, source: '', xgid: START.xgid } } : value, text);
});
const readSoon = debounced(() => read(shown.text), DELAY);

function put(/** @type {string} */ text) {
  shown.text = text;
  if (field('line').value !== text) field('line').value = text;
}

/** The position on the board. */
const book = () => /** @type {OpeningReply} */ (shown.reply).book;

/** Go to a position; the Back button of the browser returns. @type {(text: string) => void} */
function go(text) {
  if (text !== shown.text) history.pushState(null, '', linkOf(text, 'openings'));
  put(text);
  read(text);
}

/** The score of the position on the board. */
export const shownScore = () => shown.reply?.book.score || MONEY;

/** A sequence with the name of a score, unless that is money. @type {(sequence: string, score: string) => string} */
const scored = (sequence, score) => (score === MONEY ? sequence : `${sequence} ${score}`.trimStart());

/** Show one of the forms of the section. @type {(name: 'exploring' | 'training') => void} */
export function showForm(name) {
  for (const id of ['exploring', 'training']) find(id).hidden = id !== name;
  for (const id of ['theory', 'train-outcome']) find(id).hidden = true;
}

function open(/** @type {string} */ text) {
  leaveTyping();
  showForm('exploring');
  put(text);
  if (!shown.reply) stage(START, ['The openings appear when the program has loaded.']);
  read(text);
}

/** @type {(reply: OpeningReply, text: string) => void} */
function show(reply, text) {
  Object.assign(shown, { reply, answered: text });
  const { book, turns, state, error } = reply;
  const last = turns[turns.length - 1];
  find('theory').hidden = Boolean(error);
  renew(find('line-wrong'), problemParts(reply, text, (next) => go(next.endsWith(` ${shownScore()}`) ? next : scored(next, nextScore(shown.reply || reply)))));
  stage({ ...state, xgid: book.xgid }, error && last ? words(last) : words(state));
  showPath(reply);
  showRolls(reply);
  showPlays(reply);
  showScores(reply);
  renew(find('closeness'), closeness(reply));
  find('closeness').hidden = Boolean(reply.unfinished);
  const opening = reply.front ? '' : `${turns[0]?.roll}${turns[0]?.look?.name}`;
  find('train').setAttribute('href', data.openings.includes(opening) ? linkOf(opening, 'train') : '#train');
  find('with-engine').setAttribute('href', linkOf(book.score === MONEY ? book.text : book.xgid));
  const without = isToPlay(reply) && !book.rolled_out ? ', without rollouts' : ''; // of a position some rolls have them
  find('book-source').textContent = book.source && `${book.source[0].toUpperCase()}${book.source.slice(1)}${without}.`;
  enterPlays(desk);
}

/** Whether the last roll is to be played. @type {(reply: Reply) => boolean} */
const isToPlay = ({ turns }) => turns[turns.length - 1]?.reading === 'to be played';

/** The moves so far, each a way back to the position after it. @type {(reply: OpeningReply) => void} */
function showPath(reply) {
  const { turns, front, book } = reply;
  const start = shown.text.slice(0, front || 0).trim();
  const tokens = tokensOf(reply);
  const played = turns.length - Number(isToPlay(reply));
  const isSecond = Boolean(turns[0]?.player) && !start;
  const made = ['Start', ...turns].map((turn, at) => {
    const sequence = (isSecond && at ? '-' : '') + tokens.slice(0, at).join('-');
    const isOther = (played - Math.min(at, played)) % 2; // another player is on roll there
    const score = isOther ? OF_OPPONENT[book.score] || book.score : book.score;
    const name = typeof turn === 'string' ? [turn] : [turn.roll || turn.token || '', turn.look ? glyphOf(turn.look) : ''];
    return button(() => go(scored([start, sequence].filter(Boolean).join(' '), score)), ...name);
  });
  made[turns.length].setAttribute('aria-current', 'true');
  replace(find('path'), made);
  find('path').hidden = !turns.length;
}

/** The best plays as in a nacbrac: the first, and what the others lose. @type {(plays: BookPlay[]) => Part[]} */
const brief = (plays) => plays.slice(0, MAX_BRIEF).flatMap(({ look, mills, differs }, at) => {
  const letter = differs ? element('span', { className: 'differs' }, glyphOf(look), unseen(' differs from money')) : glyphOf(look);
  return at && mills ? [small(letter, ` −${points(mills)}`), ' '] : [at ? '= ' : '', letter, ' '];
});

/** @type {(reply: OpeningReply) => void} */
function showRolls({ book: { rolls = [] } }) {
  list(find('rolls'), rolls, ({ roll, plays }) => button(
    () => go(scored([book().text.trimEnd(), roll].filter(Boolean).join('-'), book().score)),
    element('b', {}, roll), ' ', element('span', {}, ...brief(plays.slice(0, 2)))));
}

/** @type {(reply: OpeningReply) => void} */
function showPlays({ book, keep }) {
  list(find('book-plays'), book.plays || [], (play) => element('li', {}, playButton(play, () => take(play.token),
    ratingOf(play, ''), element('span', { className: 'on' }, ...(play.goes_on ? ['›', unseen(' goes on in the book')] : [])))));
  for (const row of find('book-plays').querySelectorAll('button')) row.toggleAttribute('disabled', keep === undefined);
}

/** Make a play of the roll. @type {(token: string) => void} */
function take(token) {
  const { reply, answered, text } = shown;
  if (!reply || reply.keep === undefined || answered !== text) return;
  go(scored(reply.keep + token, nextScore(reply)));
}

/** The score from the side of the player who is on roll after a play. @type {(reply: OpeningReply) => string} */
const nextScore = ({ book: { score } }) => OF_OPPONENT[score] || score;

/** The scores of the book, with the best plays of the roll. @type {(reply: OpeningReply) => void} */
function showScores({ book: { scores: rows = [], score: now, plays: played } }) {
  find('by-score').hidden = rows.length < 2 && rows.every(({ score }) => score === now);
  renew(find('scoresh'), played ? ['At the scores ', ...keyTo(rows.flatMap(({ plays = [] }) => plays))] : ['Score']);
  renew(find('best-by-score'), bestByScore(rows));
  find('best-by-score').hidden = !played;
  list(find('scores'), rows, ({ score, words: name, plays }) => element('li', {}, Object.assign(
    button(() => go(scored(book().text, score)), element('span', {}, name), plays ? element('span', { className: 'brief' }, ...brief(plays)) : ''),
    { value: score })));
  for (const row of find('scores').querySelectorAll('button')) press(row, row.value === now);
}

/** Where the best play differs from that for money: `Everywhere S, but $ at double match point`. @type {(rows: NonNullable<BookNode['scores']>) => Part[]} */
function bestByScore(rows) {
  const money = rows.find(({ score }) => score === MONEY)?.plays?.[0];
  if (!money || rows.length < 2) return [];
  /** @type {Map<string, {look: Look, at: string[]}>} */
  const others = new Map();
  for (const { words: name, plays: [best] = [] } of rows) {
    if (!best?.differs) continue;
    const { at } = others.get(best.token) || { at: [] };
    others.set(best.token, { look: best.look, at: [...at, name[0].toLowerCase() + name.slice(1)] });
  }
  const parts = [...others.values()].flatMap(({ look, at }) => [', but ', glyphOf(look), ` at ${at.join(' and ')}`]);
  return ['Everywhere ', glyphOf(money.look), ...parts, '.'];
}

/** What the frame of a letter means, if one has it. @type {(plays: BookPlay[]) => Part[]} */
const keyTo = (plays) => (plays.some(({ differs }) => differs) ? [small('a frame: not best for money')] : []);

/** How close the decision is. @type {(reply: OpeningReply) => Part[]} */
function closeness({ book: { rolls, plays, score }, turns, front }) {
  if (rolls?.length) return ['The best play, then what the next one loses ', ...keyTo(rolls.flatMap((row) => row.plays))];
  const { roll = '', said, reading } = turns[turns.length - 1] || {};
  if (turns.length === 1 && !front && roll && roll[0] === roll[1]) return ['No game begins with a doublet.'];
  const forced = reading === 'forced' ? [`${roll} ${said} is the only legal play. `] : [];
  if (!plays?.length) return [...forced, score === MONEY ? 'The book ends here.' : 'The book ends here at this score.'];
  const [{ look }, next] = plays;
  if (!next) return [glyphOf(look), ': all others lose more than .100'];
  const close = plays.filter(({ mills }) => mills <= CLOSE);
  if (close.length > 1) return ['Close: ', ...close.flatMap((play) => [glyphOf(play.look), ' ']), 'within .010'];
  return [next.mills > CLEAR ? 'Clear: ' : '', glyphOf(look), `, the next play loses ${next.loss.slice(1)}`];
}

/** @type {Desk} */
const desk = {
  toPlay() {
    const { reply, answered, text } = shown;
    if (!isOpen() || !reply?.options || reply.error || answered !== text || !isToPlay(reply)) return null;
    return { ...reply.state, xgid: reply.book.xgid };
  },
  play(isPlayed) {
    const option = shown.reply?.options?.find(({ said }) => isPlayed(said));
    if (option) take(option.token);
    return Boolean(option);
  },
  box: find('book-movers'),
  after: () => find('path').lastElementChild,
};

addView('openings', 'openings', open, true);
field('line').addEventListener('input', () => {
  put(field('line').value);
  history.replaceState(null, '', linkOf(shown.text, 'openings'));
  readSoon();
});
onSubmit('exploring');
find('line-link').append(button(() => copy(linkOf(shown.text, 'openings'), 'Link'), 'Copy link'));
