// The board beside all views, and what happens on it in words.

import { find, glyphOf, small } from '../web/kit/dom.js';
import { board, showOn } from './board.js';
import { data } from './data.js';
import { renew } from './parts.js';

/** The starting position, where nothing is to be shown yet. @type {Answer} */
export const START = { xgid: data.start, player: 0, roll: '', said: '' };

/** What is shown, with its words; `sides` are those of a play that is half made. @type {{answer: Answer, words: Part[], sides: Sides | null}} */
let current = { answer: START, words: [], sides: null };
let drawn = ''; // what is on the board

/** Show a board of answers.py on the stage. @type {(answer: Answer, told: Part[], sides?: Sides | null) => void} */
export function stage(answer, told, sides = null) {
  current = { answer, words: told, sides };
  redraw();
}

export function redraw() {
  const { xgid, player, roll, said, doubles } = current.answer;
  const drawing = JSON.stringify([xgid, player, roll, said, doubles, current.sides, board.isFlipped]);
  if (drawing !== drawn) showOn(current.answer, current.sides);
  drawn = drawing;
  renew(find('doing'), current.words);
}

/** Draw the board anew, where a checker was drawn away from its place. */
export function putBack() {
  drawn = '';
  redraw();
}

/** What is on the stage, and who is at its bottom. */
export const shownBoard = () => ({ ...current.answer, bottom: Number(board.isFlipped) });

const COLOURS = ['White', 'Black'];

/** What happens on a board, in words. @type {(answer: Answer) => Part[]} */
export function words({ player, roll, said, look, cube, token, reading, offered, word }) {
  const who = COLOURS[player];
  if (cube) return [`${who}: ${reading}`];
  if (offered) return [`${COLOURS[1 - player]} doubles: ${who} to take or drop`];
  if (said) return [`${who} plays ${roll}${look ? '' : ': '}`, ...(look ? [glyphOf(look), ' '] : []), said, ...(word ? [small(` ${word}`)] : [])];
  if (reading && reading !== 'to be played') return [`${who}: ${token}, ${reading}`];
  return [roll ? `${who} to play ${roll}` : `${who} to roll`];
}
