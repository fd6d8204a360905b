// The board of all views, and the checkers that may be moved.

import { SHOWN } from '../web/kit/arrows.js';
import { Board } from '../web/kit/board.js';
import { drawn, find, isCommand, query } from '../web/kit/dom.js';
import { parseXgid } from '../web/kit/game.js';
import { boardWords } from '../web/kit/words.js';
import { data } from './data.js';

const PLAYERS = ['\u2068White\u2069', '\u2068Black\u2069'];
const GLIDE = 200; // milliseconds that a checker moves
const MAX_GLIDES = 4; // more checkers of a player are those of another position
export const board = new Board(query('#board svg'), data.board);
let mover = 0; // the player on roll
/** Points from which that player may move. @type {number[]} */
let free = [];

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** Call a function with the steps that the buttons, the arrow keys, Home and End lead on. @type {(does: (by: number) => void, isOn?: () => boolean) => void} */
export function onWalk(does, isOn = () => true) {
  find('back').addEventListener('click', () => does(STEPS.ArrowLeft));
  find('on').addEventListener('click', () => does(STEPS.ArrowRight));
  addEventListener('keydown', (/** @type {any} */ event) => {
    const by = STEPS[event.key];
    if (!by || isCommand(event) || event.target.closest?.('input, select, textarea, .wide') || !isOn()) return;
    event.preventDefault();
    does(by);
  });
}

/** The scene of a board of answers.py; without an XGID its board is unknown. @type {(answer: Answer) => Scene} */
export function sceneOf({ xgid, player, roll, doubles = 0, players }) {
  const names = players ? players.map((name) => `\u2068${name}\u2069`) : PLAYERS;
  const known = /** @type {Setup} */ (xgid ? parseXgid(xgid.replace('XGID=', '')) : null);
  return { board: known, player, roll, doubles, players: names };
}

/** Whether checkers stay where they are drawn, as after a drag. */
let isStill = false;

/** Call a function whose changes of the board are not animated. @type {(does: () => void) => void} */
export function withoutMotion(does) {
  isStill = true;
  does();
  isStill = false;
}

/** The circles of both players' checkers, by their places. @type {() => Map<string, any>[]} */
const circles = () => [0, 1].map((player) => new Map([...board.checkersOf(player)].map((circle) => [`${circle.getAttribute('cx')} ${circle.getAttribute('cy')}`, circle])));

/** Let the checkers of a play glide from their places before. @type {(before: Map<string, any>[]) => void} */
function glide(before) {
  if (isStill || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  for (const [player, after] of circles().entries()) {
    const left = [...before[player].keys()].filter((place) => !after.has(place));
    const reached = [...after.keys()].filter((place) => !before[player].has(place));
    if (left.length !== reached.length || reached.length > MAX_GLIDES) continue;
    for (const [at, place] of reached.entries()) {
      const [[fromX, fromY], [x, y]] = [left[at], place].map((text) => text.split(' ').map(Number));
      const start = `translate(${fromX - x}px, ${fromY - y}px)`;
      after.get(place).animate([{ transform: start }, { transform: 'none' }], { duration: GLIDE, easing: 'ease-out' });
    }
  }
}

/** Show a board, with the arrows of its play; `sides` are those of a play that is being entered. @type {(answer: Answer, sides: Sides | null) => void} */
export function showOn(answer, sides) {
  const scene = sceneOf(answer);
  const before = circles();
  board.show(scene, sides ? '' : answer.said, sides);
  glide(before);
  find('standing').textContent = boardWords(scene);
  mover = scene.player;
  markFree();
}

function markFree() {
  const places = new Set(free.flatMap((point) => Array.from({ length: SHOWN }, (_, slot) => String(board.placeOf(mover, point, slot)))));
  for (const circle of board.checkersOf(mover)) {
    circle.classList.toggle('free', places.has(`${circle.getAttribute('cx')},${circle.getAttribute('cy')}`));
  }
}

/** Mark the checkers that may be moved, by their points. @type {(points: number[]) => void} */
export function freeCheckers(points) {
  free = points;
  markFree();
}

/** Mark the points that a player's checker can reach; none removes the marks. @type {(player: number, sides: Sides, points: number[]) => void} */
export function markTargets(player, sides, points) {
  query('#board .targets')?.remove();
  const marks = points.map((point) => {
    const [cx, cy] = point ? board.placeOf(player, point, sides[player][point]) : board.offPlace(player, 1);
    return drawn('circle', { class: board.kind('ring'), cx, cy, r: board.places.radius - 1 });
  });
  if (marks.length) board.now.append(drawn('g', { class: 'targets' }, ...marks));
}

/** Draw a dragged checker away from its place, above the others. @type {(circle: any, x: number, y: number) => void} */
export function drawAway(circle, x, y) {
  const scale = board.svg.getScreenCTM().a;
  circle.setAttribute('transform', `translate(${x / scale} ${y / scale})`);
  if (circle.parentNode !== board.now.lastChild) board.now.append(circle.parentNode);
}

/** Draw another checker of a player under the pointer. @type {(player: number, event: MouseEvent) => any} */
export function spareChecker(player, event) {
  const group = board.drawCheckers([0, 1], player);
  const [cx, cy] = board.spotOf(event);
  const circle = group.firstElementChild;
  circle.setAttribute('cx', String(cx));
  circle.setAttribute('cy', String(cy));
  board.now.append(group);
  return circle;
}
