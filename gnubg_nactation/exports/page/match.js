// What all views of the page share: steps, names, and the board.

import { Board } from '../../web/kit/board.js';
import { unpackedData } from '../../web/kit/data.js';
import { glyphOf, query } from '../../web/kit/dom.js';
import './cells.js';
import { rowsOf, stepsOf } from '../../web/kit/model.js';

/** @type {PageData} */
export const data = await unpackedData();
export const steps = stepsOf(data);
export const places = new Map(steps.map((step, place) => [step.id, place]));
/** @type {Map<Game, number>} */
export const firstOf = new Map();
/** @type {Map<Game, number>} */
export const lastOf = new Map();
for (const [place, { id, game, number, on_cube: onCube }] of steps.entries()) {
  if (!firstOf.has(game)) firstOf.set(game, place);
  lastOf.set(game, place);
  const old = `${game.id}t${number}${onCube ? 'c' : ''}`; // addresses once counted turns
  if (!places.has(old) && id !== old) places.set(old, place);
}

/** @type {Map<string, Name>} */
export const names = new Map(rowsOf(data.names).map((row) => [row.name, row]));
const nameOf = (/** @type {string} */ name) => /** @type {Name} */ (names.get(name));
/** The key of the family. @type {(name: string) => string} */
export const familyOf = (name) => nameOf(name).family;
/** The word of the family, and its meaning. @type {(name: string) => [string, string]} */
export const family = (name) => data.families[familyOf(name)];
export const member = (/** @type {string} */ name) => nameOf(name).member;
export const glyph = (/** @type {string} */ name) => glyphOf(nameOf(name));

/** The spelling in a form: its own, or that of the form it is like. @type {(name: string, form: string) => string} */
export const spelled = (name, form) => (form === 'plain' ? name : nameOf(name)[form] ?? spelled(name, data.like[form]));

export const board = new Board(query('#board svg'), data.board);
