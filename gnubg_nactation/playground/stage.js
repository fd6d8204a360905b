// The board beside all views, and what happens on it in words.

import { bottom, find, showOn } from './board.js';
import { glyph, renew, small } from './parts.js';

const { start } = JSON.parse(find('data').textContent);

/** The starting position, where nothing is to be shown yet. */
export const START = { xgid: start, player: 0, roll: '', said: '' };

let current = null;
let drawn = ''; // what is on the board

/** Show a board of answers.py on the stage. */
export function stage(answer, words, sides = null) {
  current = { answer, words, sides };
  redraw();
}

export function redraw() {
  if (!current) return;
  const { xgid, player, roll, said, doubles } = current.answer;
  const drawing = JSON.stringify([xgid, player, roll, said, doubles, current.sides, bottom()]);
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
export const shownBoard = () => ({ ...current.answer, bottom: bottom() });

const COLOURS = ['White', 'Black'];

/** What happens on a board, in words. */
export function words({ player, roll, said, look, cube, token, reading, offered, word }) {
  const who = COLOURS[player];
  if (cube) return [`${who}: ${reading}`];
  if (offered) return [`${COLOURS[1 - player]} doubles: ${who} to take or drop`];
  if (said) return [`${who} plays ${roll}${look ? '' : ': '}`, ...(look ? [glyph(look), ' '] : []), said, ...(word ? [small(` ${word}`)] : [])];
  if (reading && reading !== 'to be played') return [`${who}: ${token}, ${reading}`];
  return [roll ? `${who} to play ${roll}` : `${who} to roll`];
}
