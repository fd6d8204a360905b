// The steps of a match, made of the data of the page and of nothing else.

import { parseXgid, played } from '../../web/kit/game.js';

/** The rows of a table that comes by columns, without what is null. @type {(table: Columns) => any[]} */
export function rowsOf(table) {
  const columns = Object.entries(table);
  const [[, first]] = columns.length ? columns : [['', []]];
  return first.map((_, at) => Object.fromEntries(columns
    .filter(([, column]) => column[at] !== null).map(([name, column]) => [name, column[at]])));
}

const CHANCES = ['win', 'gammon', 'backgammon', 'lost_gammon', 'lost_backgammon'];

/** The plays of a step, best first; losses in thousandths, chances of 1000. @type {(row: any, rows: any[], nearly: number) => Play[]} */
function playsOf({ equity, made, rank }, rows, nearly) {
  const chances = rows.map((row) => CHANCES.filter((name) => name in row).map((name) => row[name]));
  return rows.map(({ name, said, loss, off = 0, also = '', lesser = 0 }, at) => ({
    name,
    said,
    loss,
    nearly: loss < nearly,
    chances: chances[at].map((chance, index) => (at ? chances[0][index] + chance : chance)),
    made: at === made,
    accepted: new Set([name, ...also.split(' ').filter(Boolean)]),
    lesser: Boolean(lesser),
    equity: equity - loss + off,
    rank: at === rows.length - 1 && rank ? rank : at + 1,
  }));
}

/** The board before a step: its own, or that of the step before with its play made. @type {(row: any, before: Step | undefined) => Setup | null} */
function boardOf(row, before) {
  if (row.xgid) return parseXgid(row.xgid);
  if (row.unknown || !before?.board) return null;
  const { board: { sides, fields }, player, said } = before;
  return { sides: said.includes('/') ? played(sides, player, said) : sides, fields };
}

/** @type {(game: Game, rows: any[], plays: any[], nearly: number) => Step[]} */
function stepsOfGame(game, rows, plays, nearly) {
  /** @type {Step[]} */
  const steps = [];
  let number = 1;
  for (const row of rows) {
    const own = playsOf(row, plays.splice(0, row.plays), nearly);
    const said = row.said ?? own[row.made]?.said ?? '';
    const nacbrac = (row.nacbrac || '').replace(/«(\d)»/g, (/** @type {string} */ _, /** @type {string} */ at) => (at === '0' ? own[0].name : own[Number(at)].name + own[Number(at)].loss));
    const board = /** @type {Setup} */ (boardOf(row, steps.at(-1))); // or null, where it is unknown
    steps.push({
      roll: '', lost: [], ...row, id: `${game.start}${row.move}${'ab'[row.player]}${row.on_cube ? 'c' : ''}`, plays: own, said, nacbrac, board, game, players: game.players, number,
      token: row.token ?? (row.name ? row.roll + row.name : ''),
    });
    game.moves = row.move;
    if (!row.on_cube) number += 1;
  }
  return steps;
}

/** Each turn of each game, and before it the decision about the cube, where it has a step of its own. @type {(data: PageData) => Step[]} */
export function stepsOf({ games, turns, plays, nearly }) {
  const [rows, choices] = [rowsOf(turns), rowsOf(plays)];
  return games.flatMap((game) => stepsOfGame(game, rows.splice(0, game.steps), choices, nearly));
}

/** @type {(step: Step) => boolean} */
export const isMistake = ({ lost }) => lost.some(([, , mark]) => mark);
/** @type {(step: Step) => Play | undefined} */
export const madeOf = ({ plays }) => plays.find(({ made }) => made);

/** What the play made is worth to the first player. @type {(step: Step) => number | undefined} */
export function equityOf(step) {
  const made = madeOf(step);
  return made && (step.player ? -made.equity : made.equity) / 1000;
}
