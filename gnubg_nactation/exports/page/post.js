// A decision as a post, word for word as `nactate post` writes it; the page has the markup of sites.

import { BAR, standing, xgidOf } from '../../web/kit/game.js';
import { points } from '../../web/kit/words.js';

/** @type {(template: string, text: string) => string} */
const into = (template, text) => template.replace('{}', () => text);
/** @type {(text: string, rules: Rules) => string} */
const replaced = (text, rules) => rules.reduce((now, [pattern, by]) => (
  now.replace(new RegExp(pattern, 'g'), (hit) => into(by, hit))), text);
/** A player's name without the marks that isolate its direction. @type {(step: Step, player: number) => string} */
const bareName = (step, player) => step.players[player].slice(1, -1);

/** @type {(text: string, block: Block) => string} */
function preformatted(text, [begins, ends, indent, rules]) {
  const lines = replaced(text.split('\n').map((line) => line.trimEnd()).join('\n'), rules)
    .split('\n').map((line) => line && indent + line).join('\n');
  const longest = Math.max(2, ...(lines.match(/`+/g) || []).map((run) => run.length));
  const ticks = '`'.repeat(longest + 1);
  return `${into(begins, ticks)}${lines}${into(ends, ticks)}`;
}

/** `+.159`, `-1.020` @type {(thousandths: number) => string} */
const written = (thousandths) => `${thousandths < 0 ? '-' : '+'}${points(Math.abs(thousandths))}`;

const lossWords = (/** @type {number} */ loss) => (loss > 0 ? ` (${written(-loss)})` : '');

/** Whether a step has a choice. @type {(step: Step) => boolean} */
export function isDecision(step) {
  const { board, roll, on_cube: onCube, doubles, trouble, name, forced } = step;
  if (!board) return false;
  return Boolean(roll ? trouble || (name && !forced) : onCube || doubles || standing(step).doubled);
}

/** @type {(step: Step, state: Standing) => string} */
function questionOf(step, { doubled, cube }) {
  const who = bareName(step, step.player);
  if (doubled) return `${who} is offered the cube at ${2 * cube}: take or drop?`;
  return step.roll ? `${who} to play ${step.roll}: your play?` : `${who} to roll: double?`;
}

/** @type {(player: number, state: Standing) => string} */
function scoreWords(player, { length, score, crawford, jacoby }) {
  if (!length) return jacoby ? 'Money game, Jacoby rule' : 'Money game';
  const [own, other] = [player, 1 - player].map((side) => length - score[side]);
  const rule = crawford ? ', Crawford' : Math.min(own, other) === 1 && own !== other ? ', post-Crawford' : '';
  return `${own}-away ${other}-away${rule}`;
}

/** @type {(step: Step, state: Standing) => string} */
function cubeWords(step, { crawford, owner, cube }) {
  if (crawford) return 'no cube';
  return owner === null ? 'cube in the middle' : `${bareName(step, owner)} owns the cube at ${cube}`;
}

const ROWS = [0, 1, 2, 3, 4];
const NUMBERS = Array.from({ length: 12 }, (_, at) => at);

/** A point, from the edge to the middle. @type {(sign: string, count: number) => string[]} */
const column = (sign, count) => ROWS.map((row) => (
  row === 4 && count > 5 ? ` ${count} `.slice(count > 9 ? 1 : 0) : ` ${row < count ? sign : ' '} `));

/** Half of the board: twelve points with the bar between. @type {(columns: string[][], onBar: string[]) => string[]} */
const half = (columns, onBar) => ROWS.map((row) => {
  const [left, right] = [columns.slice(0, 6), columns.slice(6)].map((some) => some.map((point) => point[row]).join(''));
  return ` |${left}|${onBar[4 - row]}|${right}|`;
});

/** The board in text, from the side of the player who decides: X. @type {(step: Step, state: Standing) => string} */
export function boardText(step, state) {
  const { player, roll } = step;
  const { length, score, crawford, jacoby, owner, cube, off, pips, doubled } = state;
  const named = [player, 1 - player].map((side) => [...bareName(step, side)].slice(0, 500).join(''));
  const [own, their] = [player, 1 - player].map((side) => state.sides[side]);
  /** @type {(point: number) => string[]} */
  const pointColumn = (point) => (own[point] ? column('X', own[point]) : column('O', their[BAR - point]));
  const top = half(NUMBERS.map((at) => pointColumn(13 + at)), column('O', their[BAR]));
  const bottom = half(NUMBERS.map((at) => pointColumn(12 - at)), column('X', own[BAR])).reverse();
  top[0] += `  O: ${off[1 - player]} off, ${pips[1 - player]} pips`;
  bottom[4] += `  X: ${off[player]} off, ${pips[player]} pips`;
  const scored = length || score.some(Boolean) || jacoby
    ? [` Score: X ${score[player]}, O ${score[1 - player]}, ${length ? `${length} point match` : 'money play'}${crawford ? ', Crawford game' : jacoby ? ', Jacoby rule' : ''}`] : [];
  const doing = doubled ? `is offered the cube at ${2 * cube}` : roll ? `to play ${roll}` : 'to roll';
  return [
    ` O  ${named[1]}`, ' +13-14-15-16-17-18------19-20-21-22-23-24-+', ...top,
    ' |                  |BAR|                  |', ...bottom, ' +12-11-10--9--8--7-------6--5--4--3--2--1-+',
    ` X  ${named[0]}`, '', ...scored,
    ` Cube: ${cube}, ${owner === null ? 'in the middle' : `owned by ${owner === player ? 'X' : 'O'}`}`, ` X ${doing}`,
  ].join('\n');
}

/** The choices and the engine; nothing without an analysis. @type {(step: Step, spell: (name: string) => string, escape: (text: string) => string) => string[]} */
function answerLines({ cube, plays, roll, source = '' }, spell, escape) {
  /** @type {(name: string, said: string, equity: number, loss: number, made: boolean, details?: string) => string} */
  const line = (name, said, equity, loss, made, details = '') => `${name}${escape(`${said}, ${written(equity)}${lossWords(loss)}${details}`)}${made ? ' (played)' : ''}`;
  if (cube) return cubeLines(cube, source, line, escape);
  if (!plays.length) return [];
  return [...plays.map(({ name, said, equity, loss, made, level, rank }, at) => {
    const details = [level, rank > at + 1 && `rank ${rank}`].filter(Boolean).map((detail) => `, ${detail}`).join('');
    return line(`${roll}${spell(name)} `, said, equity, loss, made, details);
  }), escape(source)];
}

/** The right action, both choices, and the engine. @type {(cube: Cube, source: string, line: (...parts: any) => string, escape: (text: string) => string) => string[]} */
function cubeLines({ best, act, choices, made }, source, line, escape) {
  if (!choices) return [];
  const right = act === 'take' || act === 'drop' ? choices[0][0] : best;
  return [escape(right), ...choices.map(([action, equity, loss], at) => line('', action, equity, loss, at === made)), escape(source)];
}

/** The post of a decision for a site. @type {(step: Step, site: Site, spelled: (name: string, form: string) => string) => string} */
export function post(step, [form, [rules, block, [before, between, after], heading, plain, , , drawn]], spelled) {
  const escape = (/** @type {string} */ text) => replaced(text.split(/\s+/).filter(Boolean).join(' '), rules);
  const state = standing(step);
  const lines = answerLines(step, (name) => spelled(name, form), escape);
  const board = drawn ? into(drawn, xgidOf(step)) : preformatted(`${boardText(step, state)}\n\n${xgidOf(step)}`, block);
  return [
    into(heading, escape(questionOf(step, state))),
    `${into(plain, escape(`${scoreWords(step.player, state)}; ${cubeWords(step, state)}`))}\n${board}`,
    ...(lines.length ? [`${before}${lines.join(between)}${after}\n`] : []),
  ].join('\n');
}
