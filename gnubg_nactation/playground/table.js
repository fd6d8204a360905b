// The table: a roll, and checkers that are moved by hand, of which a text is made.

import { BAR, boardOf, drawAway, find, freeCheckers, hopped, legalHop, played, pointAt, stepOf, waysToPlay } from './board.js';
import { button, replace, say, small } from './parts.js';
import { putBack, stage, words } from './stage.js';
import { act, chosenTurn, isAnswered, shown, take, whenShown } from './typing.js';

// Of the play that is being made: its hops so far, whether the lower die comes first; and the first
// die of a roll that is being chosen.
let hops = [];
let swapped = false;
let firstDie = 0;

function toPlay() {
  const { reply, chosen, active } = shown;
  if (!active || chosen < 0 || !isAnswered() || !reply.options || reply.keep === undefined) return null;
  const turn = chosenTurn();
  return !turn.said && turn.roll && chosen >= reply.turns.length - 1 ? turn : null;
}

const sidesOf = (turn) => hops.reduce((sides, hop) => hopped(sides, turn.player, hop), boardOf(stepOf(turn)).sides);

function diceOf({ roll }) {
  const [high, low] = [...roll].map(Number);
  const all = high === low ? [high, high, high, high] : swapped ? [low, high] : [high, low];
  for (const { die } of hops) all.splice(all.indexOf(die), 1);
  return all;
}

const most = (sides, player, dice) => Math.max(0, ...waysToPlay(sides, player, dice).map(({ hops }) => hops.length));

// A play as far as it is made: the board, the dice that are left, and how many can be played.
function halfOf(turn) {
  const [sides, dice] = [sidesOf(turn), diceOf(turn)];
  return { sides, dice, needed: most(sides, turn.player, dice) };
}

// The hops of one die that leave as many dice to be played as can be.
function hopsFrom(turn, source, { sides, dice, needed } = halfOf(turn)) {
  const view = turn.player ? [sides[1], sides[0]] : sides;
  return [...new Set(dice)].flatMap((die) => {
    const hop = legalHop(view, source, die);
    const rest = [...dice];
    rest.splice(rest.indexOf(die), 1);
    return hop && most(hopped(sides, turn.player, hop), turn.player, rest) === needed - 1 ? [{ ...hop, die }] : [];
  });
}

function move(turn, hop) {
  hops.push(hop);
  const sides = sidesOf(turn);
  showHalf(turn);
  if (most(sides, turn.player, diceOf(turn))) return;
  const start = boardOf(stepOf(turn)).sides;
  const option = shown.reply.options.find(({ said }) => String(played(start, turn.player, said)) === String(sides));
  if (option) take(option);
  else {
    say('The higher die must be played.');
    hops = [];
    showHalf(turn);
  }
}

// The board with the checkers where they are by now, and the dice that are left.
function showHalf(turn) {
  stage({ ...turn, roll: diceOf(turn).slice(0, 2).join('') }, words(turn), sidesOf(turn));
  showTable();
  showSources();
}

// Buttons for whoever uses no pointer.
function showSources() {
  const turn = toPlay();
  const half = turn && halfOf(turn);
  const points = turn ? Array.from({ length: BAR }, (_, at) => BAR - at).filter((point) => hopsFrom(turn, point, half).length) : [];
  const rows = points.map((point) => button(() => step(turn, point), point === BAR ? 'bar' : String(point)));
  const [, second] = half ? [...new Set(half.dice)] : [];
  if (second) rows.push(button(() => swap(turn), `the ${second} first`));
  const tap = matchMedia('(pointer: coarse)').matches ? 'Tap' : 'Click';
  const isUsed = find('sources').contains(document.activeElement);
  replace(find('sources'), points.length ? [small(`${tap} or drag a checker, or from `), ...rows] : withoutCheckers(turn));
  if (isUsed && !points.length) find('dice').lastElementChild.focus({ preventScroll: true });
  freeCheckers(points);
  find('stage').classList.toggle('playing', Boolean(turn));
}

// What there is instead of checkers to be moved.
function withoutCheckers(turn) {
  const { reply, chosen } = shown;
  if (!isAnswered() || hops.length) return [];
  if (reply.over) return [small('The game is over.')];
  const isOffered = reply.keep !== undefined && reply.state.offered && chosen === reply.turns.length;
  const options = turn || isOffered ? reply.options : [];
  return [...(turn ? [small('No checker can be moved: ')] : []), ...options.map((one) => button(() => take(one), one.said))];
}

// A checker by the first die that it can be moved by.
function step(turn, point) {
  const [hop] = hopsFrom(turn, point);
  if (hop) move(turn, hop);
}

function swap(turn) {
  swapped = !swapped;
  say(`The ${diceOf(turn)[0]} first`);
  showSources();
}

const STILL = 5; // pixels by which a pointer may move and still have clicked
let held = null; // where a pointer was put down: its place, its point and the checker there
let dragged = false;

function onGrab(event) {
  const turn = toPlay();
  dragged = false;
  if (!turn || !event.isPrimary) return;
  held = { x: event.clientX, y: event.clientY, point: pointAt(event, turn.player), checker: event.target.closest('.free') };
}

function onDrag(event) {
  if (!held || !event.isPrimary) return;
  const [x, y] = [event.clientX - held.x, event.clientY - held.y];
  if (!dragged && Math.hypot(x, y) < STILL) return;
  dragged = true;
  find('board').setPointerCapture(event.pointerId);
  if (held.checker?.isConnected) drawAway(held.checker, x, y);
}

// The page does not scroll under a finger that draws a checker. (`touch-action` is not for parts
// of an SVG.)
function onTouch(event) {
  if (held?.checker && event.cancelable) event.preventDefault();
}

// What was drawn away lies in its place again.
function letGo() {
  held = null;
  if (dragged) putBack();
}

function onDrop(event) {
  if (!held || !event.isPrimary) return;
  const { point } = held;
  letGo();
  const turn = dragged && toPlay();
  const target = turn ? pointAt(event, turn.player) : -1;
  if (target >= 0 && target < point) moveTo(turn, point, target);
  else if (target > point && point > 0) say(`A checker cannot go back from ${point} to ${target === BAR ? 'the bar' : target}`);
}

// From point to point, with one die or with several.
function moveTo(turn, source, target) {
  const ways = (from, left) => (from === target ? [[]] : left.flatMap((die, at) => (
    left.indexOf(die) === at && from - die >= target
      ? ways(from - die, left.filter((_, index) => index !== at)).map((way) => [die, ...way]) : [])));
  const borneOff = target ? [] : diceOf(turn).filter((die) => die >= source).map((die) => [die]);
  for (const dice of [...ways(source, diceOf(turn)), ...borneOff]) {
    const before = [...hops];
    let from = source;
    const fits = dice.every((die) => {
      const hop = hopsFrom(turn, from).find((one) => one.die === die);
      if (!hop) return false;
      from = hop.target;
      hops.push(hop);
      return true;
    });
    const hop = fits ? hops.pop() : null;
    if (hop) {
      move(turn, hop);
      return;
    }
    hops = before;
  }
  say(`No play from ${source === BAR ? 'the bar' : source} to ${target || 'off'}`);
}

function onBoard(event) {
  const turn = toPlay();
  if (!turn || dragged) return;
  const point = pointAt(event, turn.player);
  if (point > 0) step(turn, point);
  else if (!hops.length) swap(turn); // the dice, or between the points
}

function joined(text, token) {
  if (!text.trim() || /[\s-]$/.test(text)) return text + token;
  // Behind a position the first token says whose it is.
  if (shown.reply?.named && isAnswered()) return `${text} ${shown.reply.state.player ? '-' : ''}${token}`;
  return `${text}-${token}`;
}

function roll(first, second) {
  const dice = `${Math.max(first, second)}${Math.min(first, second)}`;
  const { reply, text } = shown;
  firstDie = 0;
  const last = reply?.turns[reply.turns.length - 1];
  const isWaiting = isAnswered() && last?.reading === 'to be played' && reply.keep !== undefined;
  // Before Python has said what a roll means, another takes its place.
  const isQuick = !isAnswered() && /(?:^|[-\s])[1-6]{2}$/.test(text);
  if (isQuick) act(text.slice(0, -2) + dice);
  else act(isWaiting ? reply.keep.slice(0, -2) + dice : joined(text, dice));
}

function onDie(die) {
  if (firstDie) roll(firstDie, die);
  else firstDie = die;
  showTable();
}

// The text in two: the position that it begins with, and what follows.
const parted = () => [shown.text.slice(0, shown.reply?.front || 0), shown.text.slice(shown.reply?.front || 0)];

function undo() {
  if (firstDie) {
    firstDie = 0;
    showTable();
    return;
  }
  const turn = toPlay();
  if (hops.length && turn) {
    hops.pop();
    showHalf(turn);
    return;
  }
  const [start, text] = parted();
  const named = /^(.*[1-6]{2})[^-\s\d][^-\s]*$/s.exec(text);
  const less = named ? named[1] : text.replace(/[-\s]?[^-\s]+[-\s]*$/, (_, at) => (at === 1 && text[0] === 'N' ? ' ' : ''));
  act(less.trim() ? start + less : start.trimEnd());
}

const STARTS = { Standard: '', Nackgammon: 'N ' };

function showTable() {
  const { text } = shown;
  const nackgammon = /^N\s/.test(text);
  for (const one of find('starts').children) one.setAttribute('aria-pressed', String(!shown.reply?.front && (one.textContent === 'Nackgammon') === nackgammon));
  for (const one of find('dice').children) one.setAttribute('aria-pressed', String(Boolean(firstDie) && one.textContent === String(firstDie)));
  find('sequence').textContent = text;
  find('undo').disabled = !hops.length && !firstDie && !parted()[1].replace(/^N\s/, '').trim();
  const isOver = Boolean(shown.reply?.over && isAnswered());
  if (isOver && find('dice').contains(document.activeElement)) find('undo').focus({ preventScroll: true });
  for (const one of find('dice').children) one.toggleAttribute('disabled', isOver);
}

function rollAtRandom() {
  const random = () => 1 + Math.floor(6 * Math.random());
  const [first, second] = [random(), random()];
  const opens = !shown.reply?.turns.length && !shown.reply?.named;
  roll(first, opens && first === second ? (first % 6) + 1 : second); // no doublet opens
}

// What was half made belongs to the text or the turn that was shown before.
whenShown(() => {
  hops = [];
  swapped = false;
  showTable();
  showSources();
});

find('starts').append(...Object.entries(STARTS).map(([name, text]) => button(() => act(text), name)));
find('dice').append(...[1, 2, 3, 4, 5, 6].map((die) => {
  const made = button(() => onDie(die), String(die));
  made.setAttribute('aria-label', `die ${die}`);
  return made;
}), button(rollAtRandom, 'Roll'));
find('table').addEventListener('submit', (event) => event.preventDefault());
find('undo').addEventListener('click', undo);
find('board').addEventListener('pointerdown', onGrab);
find('board').addEventListener('pointermove', onDrag);
find('board').addEventListener('pointerup', onDrop);
find('board').addEventListener('pointercancel', letGo);
find('board').addEventListener('touchmove', onTouch, { passive: false });
find('board').addEventListener('click', onBoard);
find('board').addEventListener('dragstart', (event) => event.preventDefault());
