// Playing on the board: rolls and checkers moved by hand become text.

import { element, find, press, small } from '../../web/kit/dom.js';
import { board } from '../board.js';
import { handleBoard } from './dragging.js';
import { enterPlays, hasBegun, takeBackHop } from './moving.js';
import { button, onSubmit } from '../parts.js';
import { act, chosenTurn, comeBack, isAnswered, optionsNow, shown, take, whenShown } from './typing.js';

let firstDie = 0; // the first die of a roll that is being chosen

/** The turn to play on the board, if there is one. @type {() => Answer | null} */
function toPlay() {
  const { chosen, active, reply, isByHand } = shown;
  const { options, keep } = optionsNow();
  if (!active || chosen < 0 || !isAnswered() || !options || keep === undefined) return null;
  const turn = chosenTurn();
  const isEnd = reply?.over && isByHand && chosen === reply.turns.length - 1;
  return turn.roll && turn.reading !== 'forced' && !isEnd ? turn : null;
}

/** The buttons and words shown when no checker can be moved. @type {(turn: Answer | null) => Node[]} */
function withoutCheckers(turn) {
  const { reply, chosen } = shown;
  if (!reply || !isAnswered() || hasBegun()) return [];
  if (reply.over) return [small('The game is over.')];
  const isOffered = reply.keep !== undefined && reply.state.offered && chosen === reply.turns.length;
  const options = ((turn || isOffered) && reply.options) || [];
  return [...(turn ? [small('No legal play: ')] : []), ...options.map((option) => button(() => take(option, true), option.said))];
}

/** @type {Desk} */
const desk = {
  toPlay,
  play(isPlayed) {
    const option = optionsNow().options?.find(({ said }) => isPlayed(said));
    if (option) take(option, true);
    return Boolean(option);
  },
  moved: showTable,
  instead: withoutCheckers,
  box: find('sources'),
  after: () => find('roll'),
};

function joined(/** @type {string} */ text, /** @type {string} */ token) {
  if (!text.trim() || /[\s-]$/.test(text)) return text + token;
  // After a position the first token shows whose turn it is.
  if (shown.reply?.named && isAnswered()) return `${text} ${shown.reply.state.player ? '-' : ''}${token}`;
  return `${text}-${token}`;
}

function roll(/** @type {number} */ first, /** @type {number} */ second) {
  const dice = `${Math.max(first, second)}${Math.min(first, second)}`;
  const { reply, text } = shown;
  firstDie = 0;
  const last = reply?.turns[reply.turns.length - 1];
  const keep = isAnswered() && last?.reading === 'to be played' ? reply?.keep : undefined;
  // A second roll before Python has read the first replaces it.
  const isQuick = !isAnswered() && /(?:^|[-\s])[1-6]{2}$/.test(text);
  if (isQuick) act(text.slice(0, -2) + dice, true);
  else act(keep === undefined ? joined(text, dice) : keep.slice(0, -2) + dice, true);
}

function onDie(/** @type {number} */ die) {
  if (firstDie) roll(firstDie, die);
  else firstDie = die;
  showTable();
}

// The position that the text begins with, and the rest.
const frontAndRest = () => [shown.text.slice(0, shown.reply?.front || 0), shown.text.slice(shown.reply?.front || 0)];

function undo() {
  if (firstDie) {
    firstDie = 0;
    showTable();
    return;
  }
  if (takeBackHop() || comeBack()) return;
  const [start, text] = frontAndRest();
  const withLetter = /^(.*[1-6]{2})[^-\s\d][^-\s]*$/s.exec(text);
  const less = withLetter ? withLetter[1] : text.replace(/[-\s]?[^-\s]+[-\s]*$/, (/** @type {string} */ _, /** @type {number} */ at) => (at === 1 && text[0] === 'N' ? ' ' : ''));
  act(less.trim() ? start + less : start.trimEnd(), true);
}

function showTable() {
  for (const die of find('dice').querySelectorAll('[aria-label]')) press(die, Boolean(firstDie) && die.textContent === String(firstDie));
  find('roll').textContent = toPlay() && !chosenTurn().said ? 'Roll again' : 'Roll';
  find('undo').disabled = !hasBegun() && !firstDie && !frontAndRest()[1].replace(/^N\s/, '').trim();
  const isOver = Boolean(shown.reply?.over && isAnswered());
  if (isOver && find('dice').contains(document.activeElement)) find('undo').focus({ preventScroll: true });
  for (const die of find('dice').children) if (die.id !== 'undo') die.toggleAttribute('disabled', isOver);
}

function rollAtRandom() {
  const random = () => 1 + Math.floor(6 * Math.random());
  const [first, second] = [random(), random()];
  const opens = !shown.reply?.turns.some(({ said }) => said) && !shown.reply?.named;
  roll(first, opens && first === second ? (first % 6) + 1 : second); // no doublet opens
}

/** A click between the points rolls, where there is nothing to play. @type {Hand['click']} */
function click(event) {
  const { active, view, chosen, reply } = shown;
  const isToRoll = active && view === 's' && isAnswered() && !reply?.over && !reply?.error && chosen === reply?.turns.length && !chosenTurn().offered;
  if (isToRoll && board.pointAt(event, 0) < 0) rollAtRandom();
}

// A play that was begun belongs to the text or turn shown before.
whenShown(() => {
  enterPlays(shown.active && shown.view !== 'edit' ? desk : null);
  showTable();
});

find('dice').append(...[1, 2, 3, 4, 5, 6].map((die) => {
  const made = button(() => onDie(die), String(die));
  made.setAttribute('aria-label', `die ${die}`);
  return made;
}), element('button', { type: 'button', id: 'roll', onclick: rollAtRandom }, 'Roll'),
element('button', { type: 'button', id: 'undo', onclick: undo }, 'Undo'));
onSubmit('table');
handleBoard({ grab: () => null, drop() {}, click });
