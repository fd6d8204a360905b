// The steps of a match, made from the data of the page.

import { parseXgid, played } from './game.js';
import { points } from './words.js';

const CHANCES = ['win', 'gammon', 'backgammon', 'lost_gammon', 'lost_backgammon'];

/** The rows of a table that comes by columns, without nulls. @type {(table: Columns) => any[]} */
export function rowsOf(table) {
  const columns = Object.entries(table);
  return (columns[0]?.[1] || []).map((_, at) => Object.fromEntries(columns
    .filter(([, column]) => column[at] !== null).map(([name, column]) => [name, column[at]])));
}

/** The plays of a step, best first. @type {(step: any, rows: any[], tolerance: number) => Play[]} */
function playsOf({ equity, made, rank }, rows, tolerance) {
  const chances = rows.map((row) => CHANCES.filter((name) => name in row).map((name) => row[name]));
  return rows.map(({ name, said, loss, off = 0, also = [], level = '' }, at) => ({
    name,
    said,
    loss,
    isClose: loss < tolerance,
    chances: chances[at].map((chance, index) => (at ? chances[0][index] + chance : chance)),
    made: at === made,
    accepted: [name, ...also],
    level,
    equity: equity - loss + off,
    rank: at === rows.length - 1 && rank ? rank : at + 1,
  }));
}

/** A part of a nacbrac: a text, or the number of a play. @type {(plays: Play[], part: any) => string} */
const entryOf = (plays, part) => (typeof part === 'number' ? plays[part].name + (part ? plays[part].loss : '') : part);

/** The board of a step: its own, or that after the step before. @type {(row: any, before: Step | undefined) => Setup | null} */
function boardOf(row, before) {
  if (row.xgid) return parseXgid(row.xgid);
  if (row.unknown || !before?.board) return null;
  const { board: { sides, fields }, player, said } = before;
  return { sides: said.includes('/') ? played(sides, player, said) : sides, fields };
}

/** Each turn of each game; before it the decision not to double, if that has its own step. @type {(data: PageData) => Step[]} */
export function stepsOf({ games, turns, plays: choices, tolerance }) {
  const [rows, allPlays] = [rowsOf(turns), rowsOf(choices)];
  return games.flatMap((game) => {
    /** @type {Step[]} */
    const steps = [];
    let number = 1;
    for (const row of rows.splice(0, game.steps)) {
      const plays = playsOf(row, allPlays.splice(0, row.plays), tolerance);
      const board = /** @type {Setup} */ (boardOf(row, steps.at(-1))); // or null if unknown
      steps.push({
        roll: '', lost: [], said: plays[row.made]?.said ?? '', token: row.name ? row.roll + row.name : '', ...row,
        id: `${game.start}${row.move}${'ab'[row.player]}${row.on_cube ? 'c' : ''}`, plays, board, game, players: game.players, number,
        nacbrac: (row.nacbrac || []).map((/** @type {any} */ part) => entryOf(plays, part)).join(''),
      });
      game.moves = row.move;
      if (!row.on_cube) number += 1;
    }
    return steps;
  });
}

/** @type {(step: Step) => boolean} */
export const isMistake = ({ lost }) => lost.some(([, , mark]) => mark);
/** @type {(step: Step) => Play | undefined} */
export const madeOf = ({ plays }) => plays.find(({ made }) => made);

/** What a step loses, in thousandths. @type {(step: Step) => number} */
export const lossOf = ({ lost }) => Math.max(0, ...lost.map(([, size]) => size || 0));
/** A name without the marks that isolate its direction. */
export const plain = (/** @type {string} */ name) => name.replace(/[\u2068\u2069]/g, '');

/** The place as lists and messages name it: `7.14b`. @type {(step: Step) => string} */
export const placeOf = ({ id }) => id.replace(/^m|c$/g, '');

/** What players call a loss. @type {Record<string, string>} */
const MARKS = { doubtful: 'doubtful', bad: 'an error', 'very bad': 'a blunder' };

/** What a step loses, after `before`; empty without an error. @type {(step: Step, before: string) => string} */
export function errorWords({ lost }, before) {
  const words = lost.map(([fault, size, mark]) => [fault, size === null ? '' : `loses ${points(size)}`, MARKS[mark || '']].filter(Boolean).join(', '));
  return words.length ? before + words.join('; ') : '';
}

/** The equity of the play made, for the first player. @type {(step: Step) => number | undefined} */
export function equityOf(step) {
  const made = madeOf(step);
  return made && (step.player ? -made.equity : made.equity) / 1000;
}
