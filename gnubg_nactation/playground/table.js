// Playing on the board: rolls and checkers moved by hand become text.

import { find, press, small } from '../web/kit/dom.js';
import { diceLeft, hopsFrom, hopsLeft, newEntry, sidesNow } from '../web/kit/entry.js';
import { BAR, played, without } from '../web/kit/game.js';
import { board, drawAway, freeCheckers, sceneOf } from './board.js';
import { button, onSubmit, replace, say } from './parts.js';
import { putBack, stage, words } from './stage.js';
import { act, chosenTurn, isAnswered, shown, take, whenShown } from './typing.js';

let entry = newEntry();
let firstDie = 0; // the first die of a roll that is being chosen

/** The turn to play on the board, if there is one. @type {() => Answer | null} */
function toPlay() {
  const { reply, chosen, active } = shown;
  if (!active || chosen < 0 || !isAnswered() || !reply?.options || reply.keep === undefined) return null;
  const turn = chosenTurn();
  return !turn.said && turn.roll && chosen >= reply.turns.length - 1 ? turn : null;
}

function move(/** @type {Answer} */ turn, /** @type {Hop} */ hop) {
  entry.hops.push(hop);
  const scene = sceneOf(turn);
  showHalf(turn);
  if (hopsLeft(scene, entry)) return;
  const reached = String(sidesNow(scene, entry));
  const option = shown.reply?.options?.find(({ said }) => String(played(scene.board.sides, turn.player, said)) === reached);
  if (option) take(option);
  else {
    say('The higher die must be played.');
    entry.hops = [];
    showHalf(turn);
  }
}

/** Show the board after the hops so far, with the dice left. @type {(turn: Answer) => void} */
function showHalf(turn) {
  const scene = sceneOf(turn);
  stage({ ...turn, roll: diceLeft(scene, entry).slice(0, 2).join('') }, words(turn), sidesNow(scene, entry));
  showTable();
  showSources();
}

// Buttons for those without a pointer.
function showSources() {
  const turn = toPlay();
  const hops = turn && hopsFrom(sceneOf(turn), entry);
  const points = hops ? Array.from({ length: BAR }, (_, at) => BAR - at).filter((point) => hops(point).length) : [];
  const rows = turn ? points.map((point) => button(() => step(turn, point), point === BAR ? 'bar' : String(point))) : [];
  const [, second] = turn ? new Set(diceLeft(sceneOf(turn), entry)) : [];
  if (turn && second) rows.push(button(() => swap(turn), `Play the ${second} first`));
  const tap = matchMedia('(pointer: coarse)').matches ? 'Tap' : 'Click';
  const isUsed = find('sources').contains(document.activeElement);
  replace(find('sources'), points.length ? [small(`${tap} or drag a checker, or move from `), ...rows] : withoutCheckers(turn));
  if (isUsed && !points.length) find('dice').lastElementChild.focus({ preventScroll: true });
  freeCheckers(points);
  find('stage').classList.toggle('playing', Boolean(turn));
}

/** The buttons and words shown when no checker can be moved. @type {(turn: Answer | null) => Node[]} */
function withoutCheckers(turn) {
  const { reply, chosen } = shown;
  if (!reply || !isAnswered() || entry.hops.length) return [];
  if (reply.over) return [small('The game is over.')];
  const isOffered = reply.keep !== undefined && reply.state.offered && chosen === reply.turns.length;
  const options = ((turn || isOffered) && reply.options) || [];
  return [...(turn ? [small('No legal play: ')] : []), ...options.map((option) => button(() => take(option), option.said))];
}

/** Move a checker by the first die that it can use. @type {(turn: Answer, point: number) => void} */
function step(turn, point) {
  const [hop] = hopsFrom(sceneOf(turn), entry)(point);
  if (hop) move(turn, hop);
}

function swap(/** @type {Answer} */ turn) {
  entry.swapped = !entry.swapped;
  say(`Playing the ${diceLeft(sceneOf(turn), entry)[0]} first`);
  showSources();
}

const CLICK_PIXELS = 5; // a pointer that moves less has clicked
/** Where a pointer went down: its place, its point and the checker there. @type {{x: number, y: number, point: number, checker: Element | null} | null} */
let held = null;
let dragged = false;

function onGrab(/** @type {any} */ event) {
  const turn = toPlay();
  dragged = false;
  if (!turn || !event.isPrimary) return;
  held = { x: event.clientX, y: event.clientY, point: board.pointAt(event, turn.player), checker: event.target.closest('.free') };
}

function onDrag(/** @type {PointerEvent} */ event) {
  if (!held || !event.isPrimary) return;
  const [x, y] = [event.clientX - held.x, event.clientY - held.y];
  if (!dragged && Math.hypot(x, y) < CLICK_PIXELS) return;
  dragged = true;
  find('board').setPointerCapture(event.pointerId);
  if (held.checker?.isConnected) drawAway(held.checker, x, y);
}

/** Keep the page from scrolling while a finger drags a checker; parts of an SVG have no `touch-action`. @type {(event: Event) => void} */
function onTouch(event) {
  if (held?.checker && event.cancelable) event.preventDefault();
}

function letGo() {
  held = null;
  if (dragged) putBack();
}

function onDrop(/** @type {PointerEvent} */ event) {
  if (!held || !event.isPrimary) return;
  const { point } = held;
  letGo();
  const turn = dragged && toPlay();
  if (!turn) return;
  const target = board.pointAt(event, turn.player);
  if (target >= 0 && target < point) moveTo(turn, point, target);
  else if (target > point && point > 0) say(`Checkers cannot move back: ${point} to ${target === BAR ? 'the bar' : target}`);
}

/** The ways from point to point, by one die or several. @type {(source: number, target: number, dice: number[]) => number[][]} */
function waysBetween(source, target, dice) {
  if (source === target) return [[]];
  return [...new Set(dice)].filter((die) => source - die >= target)
    .flatMap((die) => waysBetween(source - die, target, without(dice, die)).map((way) => [die, ...way]));
}

/** The hops so far and those of a checker by these dice; null if they are not legal. @type {(turn: Answer, source: number, dice: number[]) => Hop[] | null} */
function hopsBy(turn, source, dice) {
  let from = source;
  const half = { ...entry, hops: [...entry.hops] };
  for (const die of dice) {
    const hop = hopsFrom(sceneOf(turn), half)(from).find((other) => other.die === die);
    if (!hop) return null;
    half.hops.push(hop);
    from = hop.target;
  }
  return half.hops;
}

function moveTo(/** @type {Answer} */ turn, /** @type {number} */ source, /** @type {number} */ target) {
  const left = diceLeft(sceneOf(turn), entry);
  const borneOff = target ? [] : left.filter((die) => die >= source).map((die) => [die]);
  for (const dice of [...waysBetween(source, target, left), ...borneOff]) {
    const hops = hopsBy(turn, source, dice);
    const hop = hops?.pop();
    if (hops && hop) {
      entry.hops = hops;
      move(turn, hop);
      return;
    }
  }
  say(`No play from ${source === BAR ? 'the bar' : source} to ${target || 'off'}`);
}

function onBoard(/** @type {MouseEvent} */ event) {
  const turn = toPlay();
  if (!turn || dragged) return;
  const point = board.pointAt(event, turn.player);
  if (point > 0) step(turn, point);
  else if (!entry.hops.length) swap(turn); // a click on the dice, or between the points
}

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
  if (isQuick) act(text.slice(0, -2) + dice);
  else act(keep === undefined ? joined(text, dice) : keep.slice(0, -2) + dice);
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
  const turn = toPlay();
  if (entry.hops.length && turn) {
    entry.hops.pop();
    showHalf(turn);
    return;
  }
  const [start, text] = frontAndRest();
  const withLetter = /^(.*[1-6]{2})[^-\s\d][^-\s]*$/s.exec(text);
  const less = withLetter ? withLetter[1] : text.replace(/[-\s]?[^-\s]+[-\s]*$/, (/** @type {string} */ _, /** @type {number} */ at) => (at === 1 && text[0] === 'N' ? ' ' : ''));
  act(less.trim() ? start + less : start.trimEnd());
}

const STARTS = { Standard: '', Nackgammon: 'N ' };

function showTable() {
  const { text } = shown;
  const nackgammon = /^N\s/.test(text);
  for (const start of find('starts').children) press(start, !shown.reply?.front && (start.textContent === 'Nackgammon') === nackgammon);
  for (const die of find('dice').children) press(die, Boolean(firstDie) && die.textContent === String(firstDie));
  find('sequence').textContent = text;
  find('undo').disabled = !entry.hops.length && !firstDie && !frontAndRest()[1].replace(/^N\s/, '').trim();
  const isOver = Boolean(shown.reply?.over && isAnswered());
  if (isOver && find('dice').contains(document.activeElement)) find('undo').focus({ preventScroll: true });
  for (const die of find('dice').children) die.toggleAttribute('disabled', isOver);
}

function rollAtRandom() {
  const random = () => 1 + Math.floor(6 * Math.random());
  const [first, second] = [random(), random()];
  const opens = !shown.reply?.turns.length && !shown.reply?.named;
  roll(first, opens && first === second ? (first % 6) + 1 : second); // no doublet opens
}

// A play that was begun belongs to the text or turn shown before.
whenShown(() => {
  entry = newEntry();
  showTable();
  showSources();
});

find('starts').append(...Object.entries(STARTS).map(([name, text]) => button(() => act(text), name)));
find('dice').append(...[1, 2, 3, 4, 5, 6].map((die) => {
  const made = button(() => onDie(die), String(die));
  made.setAttribute('aria-label', `die ${die}`);
  return made;
}), button(rollAtRandom, 'Roll'));
onSubmit('table');
find('undo').addEventListener('click', undo);
const handlers = {
  pointerdown: onGrab, pointermove: onDrag, pointerup: onDrop, pointercancel: letGo, touchmove: onTouch,
  click: onBoard, dragstart: (/** @type {Event} */ event) => event.preventDefault(),
};
for (const [kind, handler] of Object.entries(handlers)) find('board').addEventListener(kind, handler, { passive: false });
