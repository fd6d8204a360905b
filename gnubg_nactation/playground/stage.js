// The board next to all views, with a caption.

import { element, find, glyphOf, small } from '../web/kit/dom.js';
import { points } from '../web/kit/words.js';
import { board, showOn } from './board.js';
import { data } from './data.js';
import { button, renew } from './parts.js';

/** @type {Answer} */
export const START = { xgid: data.start, player: 0, roll: '', said: '' };

/** The board with its caption; `sides` are those of a play that is being entered. @type {{answer: Answer, words: Part[], sides: Sides | null}} */
let current = { answer: START, words: [], sides: null };
let drawn = ''; // the board as it is drawn now

/** Show a board of answers.py. @type {(answer: Answer, words: Part[], sides?: Sides | null) => void} */
export function stage(answer, words, sides = null) {
  current = { answer, words, sides };
  redraw();
}

export function redraw() {
  const { xgid, player, roll, said, doubles } = current.answer;
  const drawing = JSON.stringify([xgid, player, roll, said, doubles, current.sides, board.isFlipped]);
  if (drawing !== drawn) showOn(current.answer, current.sides);
  drawn = drawing;
  renew(find('doing'), current.words);
}

/** Redraw a board whose checkers were dragged. */
export function putBack() {
  drawn = '';
  redraw();
}

/** The board on the stage, and the player at its bottom. */
export const shownBoard = () => ({ ...current.answer, bottom: Number(board.isFlipped) });

export const COLOURS = ['White', 'Black'];

/** The caption of a board. @type {(answer: Answer) => Part[]} */
export function words({ player, roll, said, look, cube, token, reading, offered, word }) {
  const name = COLOURS[player];
  if (cube) return [`${name}: ${reading}`];
  if (offered) return [`${COLOURS[1 - player]} doubles: ${name} to take or drop`];
  if (said) return [`${name} plays ${roll}${look ? '' : ': '}`, ...(look ? [glyphOf(look), ' '] : []), said, ...(word ? [small(` ${word}`)] : [])];
  if (reading && reading !== 'to be played') return [`${name}: ${token}, ${reading}`];
  return [roll ? `${name} to play ${roll}` : `${name} to roll`];
}

/** A row of a list of plays, with its other letters and more. @type {(option: Option, does: () => void, ...more: Part[]) => any} */
export const playButton = ({ look, token, said, others = [] }, does, ...more) => button(does, look ? glyphOf(look) : element('b', {}, token),
  element('span', {}, said), ...(others.length ? [element('small', {}, 'also ', ...others.flatMap((other) => [glyphOf(other), ' ']))] : []), ...more);

/** What a play of such a list is worth. @type {(worth: {equity: string, loss: string}, note: string) => any} */
export const ratingOf = ({ equity, loss }, note) => element('span', { className: 'rating' },
  element('span', {}, element('b', {}, equity), element('span', {}, ` ${loss}`)), note ? small(note) : '');

/** A row of a list of turns, with what is doubtful about it. @type {(turn: Answer, does: () => void) => any} */
export function turnButton(turn, does) {
  const { player, token, roll, look, said, reading, word, sure, note, others, error } = turn;
  const doubts = [sure !== 'sure' && sure, note, others && `or ${others.slice(0, 3).join(', ')}`, error && `−${points(1000 * error)}`];
  const doubt = doubts.filter(Boolean).join('; ');
  const parts = token
    ? [element('b', {}, roll || token), look ? glyphOf(look) : '', element('span', {}, said || reading || '', word ? small(` ${word}`) : '')]
    : [element('span', {}, ...words(turn))];
  return button(does, element('span', { className: `side-${player}` }), ...parts,
    doubt ? element('small', { className: 'doubt' }, doubt) : '');
}
