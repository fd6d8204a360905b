// What all views of the page share: the steps of its matches, names, and the board.

import { Board } from '../../web/kit/board.js';
import { unpackedData } from '../../web/kit/data.js';
import { glyphOf, query } from '../../web/kit/dom.js';
import './cells.js';
import { rowsOf, stepsOf } from './model.js';

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
  const old = `${game.id}t${number}${onCube ? 'c' : ''}`; // as addresses were, which counted turns
  if (!places.has(old) && id !== old) places.set(old, place);
}

/** @type {Map<string, Name>} */
export const names = new Map(rowsOf(data.names).map((row) => [row.name, row]));
const named = (/** @type {string} */ name) => /** @type {Name} */ (names.get(name));
/** The key of the family. @type {(name: string) => string} */
export const familyOf = (name) => named(name).family;
/** The word of the family, and what it means. @type {(name: string) => [string, string]} */
export const family = (name) => data.families[familyOf(name)];
export const member = (/** @type {string} */ name) => named(name).member;
export const glyph = (/** @type {string} */ name) => glyphOf(named(name));

/** The spelling in a form, plain where it does not differ from that which it is most like. @type {(name: string, form: string) => string} */
export const spelled = (name, form) => (form === 'plain' ? name : named(name)[form] ?? spelled(name, data.like[form]));

export const board = new Board(query('#board svg'), data.board);
