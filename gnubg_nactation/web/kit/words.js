// Numbers and boards in words.

import { BAR, standing } from './game.js';

/** @type {(count: number, noun: string) => string} */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
/** A size as players write it: `.076`, `1.020`. @type {(thousandths: number) => string} */
export const points = (thousandths) => (thousandths / 1000).toFixed(3).replace(/^0/, '');
/** @type {(thousandths: number) => string} */
export const signed = (thousandths) => `${Math.round(thousandths) < 0 ? '−' : '+'}${points(Math.abs(thousandths))}`;

/** A number with its real minus; a dash if it is unknown. @type {(value: number | null, digits: number) => string} */
export const decimal = (value, digits) => (value === null ? '–' : value.toFixed(digits).replace('-', '−'));

/** Chances in percent, in the order of an analysis: `52.8 (15.6 0.7) – 47.2 (11.3 0.5)`. @type {(chances: string[]) => string} */
export const chancesText = ([win, gammon, backgammon, lostGammon, lostBackgammon]) => `${win} (${gammon} ${backgammon}) – ${(100 - Number(win)).toFixed(1)} (${lostGammon} ${lostBackgammon})`;
/** @type {(thousandths: number) => string} */
export const percent = (thousandths) => (thousandths / 10).toFixed(1);

export function boardWords(/** @type {Scene} */ scene) {
  if (!scene.board) return 'Board unknown.';
  const { sides, pips, off, cube, owner } = standing(scene);
  const words = sides.map((side, player) => {
    const stacks = side.flatMap((count, point) => (count
      ? [`${counted(count, 'checker')} on the ${point === BAR ? 'bar' : `${point} point`}`] : []));
    if (off[player]) stacks.unshift(`${off[player]} borne off`);
    return `${scene.players[player]}: ${stacks.reverse().join(', ')}; ${counted(pips[player], 'pip')}.`;
  });
  const holder = owner === null ? 'in the middle' : `with ${scene.players[owner]}`;
  return `${words.join(' ')} The cube is ${cube === 1 ? '' : `at ${cube}, `}${holder}.`;
}
