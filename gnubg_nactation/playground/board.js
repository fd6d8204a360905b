// The board of all views, and the checkers that may be moved.

import { SHOWN } from '../web/kit/arrows.js';
import { Board } from '../web/kit/board.js';
import { find, query } from '../web/kit/dom.js';
import { parseXgid } from '../web/kit/game.js';
import { boardWords } from '../web/kit/words.js';
import { data } from './data.js';

const PLAYERS = ['\u2068White\u2069', '\u2068Black\u2069'];
export const board = new Board(query('#board svg'), data.board);
let mover = 0; // the player on roll
/** Points from which that player may move. @type {number[]} */
let free = [];

/** The scene of a board of answers.py. @type {(answer: Answer) => Scene} */
export function sceneOf({ xgid, player, roll, doubles = 0, players }) {
  const names = players ? players.map((name) => `\u2068${name}\u2069`) : PLAYERS;
  return { board: parseXgid(xgid.replace('XGID=', '')), player, roll, doubles, players: names };
}

/** Show a board, with the arrows of its play; `sides` are those of a play that is being entered. @type {(answer: Answer, sides: Sides | null) => void} */
export function showOn(answer, sides) {
  const scene = sceneOf(answer);
  board.show(scene, sides ? '' : answer.said, sides);
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
