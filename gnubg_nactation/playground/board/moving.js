// Entering a play on the board: checkers are clicked, dragged, or moved with buttons.

import { find, small } from '../../web/kit/dom.js';
import { diceLeft, hopsFrom, hopsLeft, newEntry, sidesNow } from '../../web/kit/entry.js';
import { BAR, played } from '../../web/kit/game.js';
import { board, freeCheckers, markTargets, sceneOf } from '../board.js';
import { handleBoard } from './dragging.js';
import { button, replace, say } from '../parts.js';
import { stage, words } from '../stage.js';

let entry = newEntry();
/** The view whose plays are entered. @type {Desk | null} */
let desk = null;
/** The point of the checker that a finger has chosen. */
let chosen = 0;

/** The turn to play on the board, if there is one. @type {() => Answer | null} */
const toPlay = () => desk?.toPlay() || null;

/** Let the plays of a view be entered on the board; a play that was begun is forgotten. @type {(view: Desk | null) => void} */
export function enterPlays(view) {
  if (!view && desk) replace(desk.box, []);
  desk = view;
  entry = newEntry();
  chosen = 0;
  showSources();
}

/** Whether a checker was moved in a play that is not complete. */
export const hasBegun = () => entry.hops.length > 0;

/** Take back the last hop of a play that was begun; false if there is none. */
export function takeBackHop() {
  const turn = toPlay();
  if (!hasBegun() || !turn) return false;
  entry.hops.pop();
  showHalf(turn);
  return true;
}

function move(/** @type {Answer} */ turn, /** @type {Hop} */ hop) {
  chosen = 0;
  entry.hops.push(hop);
  const scene = sceneOf(turn);
  showHalf(turn);
  if (hopsLeft(scene, entry)) return;
  const reached = String(sidesNow(scene, entry));
  if (desk?.play((said) => String(played(scene.board.sides, turn.player, said)) === reached)) return;
  say('The higher die must be played.');
  entry.hops = [];
  showHalf(turn);
}

/** Show the board after the hops so far, with the dice left. @type {(turn: Answer) => void} */
function showHalf(turn) {
  const scene = sceneOf(turn);
  stage({ ...turn, roll: diceLeft(scene, entry).slice(0, 2).join('') }, words(turn), sidesNow(scene, entry));
  desk?.moved?.();
  showSources();
}

// Buttons for those without a pointer.
function showSources() {
  const turn = toPlay();
  const hops = turn && hopsFrom(sceneOf(turn), entry);
  const points = hops ? Array.from({ length: BAR }, (_, at) => BAR - at).filter((point) => hops(point).length) : [];
  freeCheckers(points);
  find('stage').classList.toggle('playing', Boolean(turn));
  if (!desk) return;
  const rows = turn ? points.map((point) => button(() => step(turn, point), point === BAR ? 'bar' : String(point))) : [];
  const [, second] = turn ? new Set(diceLeft(sceneOf(turn), entry)) : [];
  if (turn && second) rows.push(button(() => swap(turn), `Play the ${second} first`));
  const tap = matchMedia('(pointer: coarse)').matches ? 'Tap' : 'Click';
  const isUsed = desk.box.contains(document.activeElement);
  desk.box.classList.toggle('by-keys', points.length > 0);
  replace(desk.box, points.length ? [small(`${tap} or drag a checker, or move from `), ...rows] : desk.instead?.(turn) || []);
  if (isUsed && !points.length) desk.after().focus({ preventScroll: true });
}

/** Move a checker by the first die that it can use. @type {(turn: Answer, point: number) => void} */
function step(turn, point) {
  const [hop] = hopsFrom(sceneOf(turn), entry)(point);
  if (hop) move(turn, hop);
}

function swap(/** @type {Answer} */ turn) {
  if (new Set(diceLeft(sceneOf(turn), entry)).size < 2) return; // a doublet
  entry.swapped = !entry.swapped;
  say(`Playing the ${diceLeft(sceneOf(turn), entry)[0]} first`);
  showSources();
}

function grab(/** @type {any} */ event) {
  const turn = toPlay();
  if (!turn) return null;
  const point = board.pointAt(event, turn.player);
  const checker = event.target.closest('.free');
  if (checker) lightUp(turn, point);
  return { point, checker };
}

/** Mark the points that a checker can reach. @type {(turn: Answer, source: number) => void} */
const lightUp = (turn, source) => markTargets(turn.player, sidesNow(sceneOf(turn), entry), [...waysFrom(turn, source).keys()]);

function drop(/** @type {Grip} */ { point }, /** @type {PointerEvent} */ event) {
  const turn = toPlay();
  if (!turn) return;
  const target = board.pointAt(event, turn.player);
  if (target >= 0 && target < point) moveTo(turn, point, target);
  else if (target > point && point > 0) say(`Checkers cannot move back: ${point} to ${target === BAR ? 'the bar' : target}`);
}

/** The points that a checker can reach, 0 for off, each with the hops so far and those that lead there. @type {(turn: Answer, source: number, half?: Entry) => Map<number, Hop[]>} */
function waysFrom(turn, source, half = entry) {
  const ways = hopsFrom(sceneOf(turn), half)(source).map((hop) => ({ target: hop.target, hops: [...half.hops, hop] }));
  const found = new Map(ways.map(({ target, hops }) => [target, hops]));
  for (const { target, hops } of ways) {
    for (const [further, all] of waysFrom(turn, target, { ...half, hops })) if (!found.has(further)) found.set(further, all);
  }
  return found;
}

function moveTo(/** @type {Answer} */ turn, /** @type {number} */ source, /** @type {number} */ target) {
  const hops = waysFrom(turn, source).get(target);
  if (hops) {
    entry.hops = hops.slice(0, -1);
    move(turn, hops[hops.length - 1]);
  } else say(`No play from ${source === BAR ? 'the bar' : source} to ${target || 'off'}`);
}

/** A click plays the first die. A finger chooses a checker that can go to several points; these light up for the next tap. @type {Hand['click']} */
function click(event, isFinger) {
  const turn = toPlay();
  if (!turn) return;
  const point = board.pointAt(event, turn.player);
  const source = chosen;
  chosen = 0;
  if (source && point >= 0 && waysFrom(turn, source).has(point)) moveTo(turn, source, point);
  else if (isFinger && point > 0 && point !== source && waysFrom(turn, point).size > 1) {
    chosen = point;
    lightUp(turn, point);
  } else if (point > 0) step(turn, point);
  else if (!entry.hops.length) swap(turn); // a click on the dice, or between the points
}

handleBoard({ grab, drop, click });
