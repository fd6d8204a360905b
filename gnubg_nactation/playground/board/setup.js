// A position that is edited: an XGID whose checkers and fields change one by one.

import { actorOf, BAR, OFFERS, parseXgid, xgidOf } from '../../web/kit/game.js';

const CHECKERS = 15;
const EXPECTED = 'expected points from 1 to 24 or bar, as in 24(2) 13(5)';
const XGID = /^(?:XGID=)?([-A-Oa-o]{26}(?::-?\d{1,5}){3}:(?:00|[1-6]{2}|[DBR])(?::\d{1,5}){5})$/;

/** The places of the fields of an XGID after its position. */
export const FIELDS = { cube: 0, owner: 1, turn: 2, dice: 3, first: 4, second: 5, rule: 6, length: 7 };

/** The setup of an XGID; null for another text. @type {(text: string) => Setup | null} */
export function parseSetup(text) {
  const found = XGID.exec(text.trim());
  return found && parseXgid(found[1]);
}

/** The board of a setup for the stage. @type {(setup: Setup) => Answer} */
export function answerOf(setup) {
  const dice = setup.fields[FIELDS.dice];
  const offered = dice in OFFERS;
  const player = actorOf(setup.fields[FIELDS.turn], dice);
  const roll = offered || dice === '00' ? '' : [...dice].sort().reverse().join('');
  return { xgid: xgidOf({ board: setup, player, roll, players: [] }), player, roll, offered, said: '' };
}

const countOf = (/** @type {number[]} */ side) => side.reduce((sum, count) => sum + count, 0);
/** The checkers that a player has left to put on the board. @type {(sides: Sides, player: number) => number} */
export const spare = (sides, player) => CHECKERS - countOf(sides[player]);

/** The sides after a checker went from point to point, where 0 is off the board; the opponent's checkers there go off. @type {(sides: Sides, player: number, source: number, target: number) => Sides} */
export function moved(sides, player, source, target) {
  const [own, other] = [[...sides[player]], [...sides[1 - player]]];
  if (source) own[source] -= 1;
  if (target) own[target] += 1;
  if (target && target < BAR) other[BAR - target] = 0;
  return player ? [other, own] : [own, other];
}

/** The player with checkers on a point of the first player. @type {(sides: Sides, point: number) => number | null} */
export function holder(sides, point) {
  const at = [0, 1].findIndex((player) => sides[player][player && point < BAR ? BAR - point : point]);
  return at < 0 ? null : at;
}

/** A setup with other fields; a match has no Jacoby rule, and money play no Crawford game. @type {(setup: Setup, changes: Partial<Record<keyof typeof FIELDS, string>>) => Setup} */
export function withFields({ sides, fields }, changes) {
  const made = [...fields];
  for (const [name, value] of Object.entries(changes)) made[/** @type {any} */ (FIELDS)[name]] = value;
  const wasMatch = fields[FIELDS.length] !== '0';
  if (wasMatch !== (made[FIELDS.length] !== '0')) made[FIELDS.rule] = '0';
  return { sides, fields: made };
}

/** A side as text: `bar 24(2) 13(5)`. @type {(side: number[]) => string} */
export function formatSide(side) {
  const stacks = side.flatMap((count, point) => (count ? [`${point === BAR ? 'bar' : point}${count > 1 ? `(${count})` : ''}`] : []));
  return stacks.reverse().join(' ');
}

/** The side of such a text; throws an Error. @type {(text: string) => number[]} */
export function parseSide(text) {
  const side = new Array(BAR + 1).fill(0);
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const [, name = '', count = '1'] = /^(bar|[1-9]\d?)(?:\((\d{1,2})\))?$/i.exec(word) || [];
    const point = name.toLowerCase() === 'bar' ? BAR : Number(name);
    if (!point || (point >= BAR && name === String(point))) throw new Error(`found ${word}, ${EXPECTED}`);
    side[point] += Number(count);
  }
  return side;
}

/** The sides after a text replaced one of them; throws an Error. @type {(sides: Sides, player: number, text: string) => Sides} */
export function withSide(sides, player, text) {
  const side = parseSide(text);
  const count = countOf(side);
  if (count > CHECKERS) throw new Error(`found ${count} checkers, but a player has ${CHECKERS}`);
  const other = sides[1 - player];
  const shared = side.findIndex((own, point) => point && point < BAR && own && other[BAR - point]);
  if (shared > 0) throw new Error(`the opponent has the ${shared} point (its ${BAR - shared} point), expected checkers elsewhere`);
  return player ? [other, side] : [side, other];
}
