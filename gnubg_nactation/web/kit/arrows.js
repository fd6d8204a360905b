// The arrows of a play, one for each hop.

import { hopsOf } from './game.js';

/** Checkers drawn of a stack; a number counts the rest. */
export const SHOWN = 5;
/** How far an arrow reaches into a checker that bears a number. */
const OVERLAP = 5;

/** The arrows of a play; `table` has the places of checkers. @type {(table: Table, said: string, player: number, state: Standing) => Arrows} */
export function arrowsOf(table, said, player, state) {
  const hops = said.includes('/') ? hopsOf(said) : [];
  const ways = uncrossed(waysOf(table, hops, player, state), table.places.middle);
  const arriving = new Map();
  for (const { target, full, rests } of ways) if (full && rests) arriving.set(target, (arriving.get(target) || 0) + 1);
  const rings = new Map(ways.filter(({ rests, full }) => rests && !full).map(({ end }) => [end.join(), end]));
  return {
    shafts: ways.map((way) => arrowPath(way, table.places.middle)).join(''),
    hits: ways.filter(({ hits }) => hits).map(({ end: [x, y] }) => `M${x - 8} ${y - 8}l16 16m0-16l-16 16`).join(''),
    rings: [...rings.values()],
    arriving,
  };
}

/** @type {(table: Table, hops: Hop[], player: number, state: Standing) => Arrow[]} */
function waysOf(table, hops, player, state) {
  const side = state.sides[player];
  const { radius } = table.places;
  const clear = radius - OVERLAP;
  const left = [...side];
  const landed = new Array(26).fill(0);
  let slabs = state.off[player];
  /** @type {(point: number, slot: number) => boolean} */
  const isCrowded = (point, slot) => slot >= SHOWN - 1 && side[point] > SHOWN;
  return hops.map(({ source, target, hits }, at) => {
    const goesOn = at && landed[source] && hops[at - 1].target === source;
    if (goesOn) landed[source] -= 1;
    else left[source] -= 1;
    const from = left[source] + landed[source];
    const start = table.placeOf(player, source, from);
    const tail = isCrowded(source, from) ? clear : 0;
    if (!target) return { source, target, start, end: table.offPlace(player, slabs++), tail, gap: radius + 1 };
    const to = left[target] + landed[target];
    landed[target] += 1;
    const rests = !hits && !(at + 1 < hops.length && hops[at + 1].source === target);
    const full = to >= SHOWN;
    const gap = hits || full || isCrowded(target, to) ? clear : 6;
    return { source, target, start, end: table.placeOf(player, target, to), tail, gap, hits, rests, full };
  });
}

/** Keep the order of checkers that go from one stack to another along one edge, so that arrows do not cross. @type {(ways: Arrow[], middle: number) => Arrow[]} */
function uncrossed(ways, middle) {
  for (let at = 0; at + 1 < ways.length; at += 1) {
    const [way, next] = [ways[at], ways[at + 1]];
    const alike = way.source === next.source && way.target === next.target && way.target;
    if (alike && (way.start[1] < middle) === (way.end[1] < middle)) {
      const same = [at];
      while (ways[at + 1] && ways[at + 1].source === way.source && ways[at + 1].target === way.target) same.push(at += 1);
      const ends = same.map((place) => ways[place]).reverse();
      const turned = same.map((place, index) => ({ ...ends[index], start: ways[place].start, tail: ways[place].tail }));
      same.forEach((place, index) => { ways[place] = turned[index]; });
    }
  }
  return ways;
}

/** The path of an arrow: the shaft, bent if it stays in one half of the board, then the head. @type {(way: Arrow, middle: number) => string} */
function arrowPath({ start: [x1, y1], end: [x2, y2], tail, gap }, middle) {
  const sameHalf = (y1 < middle) === (y2 < middle);
  const bend = sameHalf ? (y1 < middle ? 0.3 : -0.3) * Math.abs(x2 - x1) : 0;
  const [bendX, bendY] = [(x1 + x2) / 2, (y1 + y2) / 2 + bend];
  const length = Math.hypot(x2 - bendX, y2 - bendY) || 1;
  const [ux, uy] = [(x2 - bendX) / length, (y2 - bendY) / length];
  const part = tail / (Math.hypot(bendX - x1, bendY - y1) || 1);
  const [tipX, tipY] = [x2 - gap * ux, y2 - gap * uy];
  const head = Math.min(13, length / 2);
  const [backX, backY] = [tipX - head * ux, tipY - head * uy];
  const [sideX, sideY] = [-uy * head * 0.75, ux * head * 0.75];
  /** @type {[string, number, number][]} */
  const numbers = [
    ['M', x1 + part * (bendX - x1), y1 + part * (bendY - y1)], ['Q', bendX, bendY], ['', tipX, tipY],
    ['M', backX + sideX, backY + sideY], ['L', tipX, tipY], ['L', backX - sideX, backY - sideY],
  ];
  return numbers.map(([letter, x, y]) => `${letter} ${x.toFixed(0)} ${y.toFixed(0)}`).join(' ');
}
