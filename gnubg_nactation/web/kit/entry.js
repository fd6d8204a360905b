// Entering a play on the board, checker by checker.

import { diceOf, hopped, legalHop, waysToPlay, without } from './game.js';

/** @type {() => Entry} */
export const newEntry = () => ({ hops: [], swapped: false });

/** The sides after the hops so far. @type {(scene: Scene, entry: Entry) => Sides} */
export const sidesNow = ({ board, player }, { hops }) => hops.reduce((now, hop) => hopped(now, player, hop), board.sides);

/** The dice that are left, the one to try first in front. @type {(scene: Scene, entry: Entry) => number[]} */
export function diceLeft({ roll }, { hops, swapped }) {
  const dice = diceOf(roll);
  if (swapped) dice.reverse();
  return hops.reduce((left, { die = 0 }) => without(left, die), dice);
}

/** The number of these dice that can be played. @type {(sides: Sides, player: number, dice: number[]) => number} */
const countPlayable = (sides, player, dice) => Math.max(0, ...waysToPlay(sides, player, dice).map(({ hops }) => hops.length));

/** The number of dice left that can be played. @type {(scene: Scene, entry: Entry) => number} */
export const hopsLeft = (scene, entry) => countPlayable(sidesNow(scene, entry), scene.player, diceLeft(scene, entry));

/** The legal hops from a point by one die: those that still let the most dice be played. @type {(scene: Scene, entry: Entry) => (source: number) => Hop[]} */
export function hopsFrom(scene, entry) {
  const { player } = scene;
  const [sides, dice, needed] = [sidesNow(scene, entry), diceLeft(scene, entry), hopsLeft(scene, entry)];
  return (source) => [...new Set(dice)].flatMap((die) => {
    const hop = legalHop(sides, player, source, die);
    return hop && countPlayable(hopped(sides, player, hop), player, without(dice, die)) === needed - 1 ? [hop] : [];
  });
}
