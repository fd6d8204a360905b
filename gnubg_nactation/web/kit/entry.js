// A play entered on the board, checker by checker.

import { diceOf, hopped, legalHop, waysToPlay, without } from './game.js';

/** A play that begins: nothing has moved, and the higher die comes first. @type {() => Entry} */
export const newEntry = () => ({ hops: [], swapped: false });

/** The sides as far as the play is made. @type {(scene: Scene, entry: Entry) => Sides} */
export const sidesNow = ({ board, player }, { hops }) => hops.reduce((now, hop) => hopped(now, player, hop), board.sides);

/** The dice that are left, in the order in which they are tried. @type {(scene: Scene, entry: Entry) => number[]} */
export function diceLeft({ roll }, { hops, swapped }) {
  const dice = diceOf(roll);
  if (swapped) dice.reverse();
  return hops.reduce((left, { die = 0 }) => without(left, die), dice);
}

/** How many of these dice can be played. @type {(sides: Sides, player: number, dice: number[]) => number} */
const mostOf = (sides, player, dice) => Math.max(0, ...waysToPlay(sides, player, dice).map(({ hops }) => hops.length));

/** How many of the dice that are left can be played. @type {(scene: Scene, entry: Entry) => number} */
export const hopsLeft = (scene, entry) => mostOf(sidesNow(scene, entry), scene.player, diceLeft(scene, entry));

/** The hops of each point, by one die, that leave as many dice to be played as can be. @type {(scene: Scene, entry: Entry) => (source: number) => Hop[]} */
export function hopsFrom(scene, entry) {
  const { player } = scene;
  const [sides, dice, needed] = [sidesNow(scene, entry), diceLeft(scene, entry), hopsLeft(scene, entry)];
  return (source) => [...new Set(dice)].flatMap((die) => {
    const hop = legalHop(sides, player, source, die);
    return hop && mostOf(hopped(sides, player, hop), player, without(dice, die)) === needed - 1 ? [hop] : [];
  });
}
