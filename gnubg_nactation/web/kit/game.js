// Backgammon: IDs, hops, and the legal ways to play a roll, as in Python; tests compare both.
//
// `sides` are the checkers of both players, each numbered from that player; 25 is the bar.

export const BAR = 25;

/** The offers of the cube in the dice of an XGID, with the offers before each: a double, a beaver, a raccoon. @type {Record<string, number>} */
export const OFFERS = { D: 0, B: 1, R: 2 };

/** The player who acts by the turn and the dice of an XGID: the doubler is named, who answers only a beaver. @type {(turn: string, dice: string) => number} */
export const actorOf = (turn, dice) => Number((turn === '-1') !== (dice === 'D' || dice === 'R'));

const sorted = (/** @type {string} */ dice) => [...dice].sort().join('');

/** The position and the fields of an XGID, without `XGID=`. @type {(xgid: string) => Setup} */
export function parseXgid(xgid) {
  const [position, ...fields] = xgid.split(':');
  const counts = [...position].map((character) => {
    const code = character.charCodeAt(0);
    return character === '-' ? 0 : code > 96 ? 96 - code : code - 64;
  });
  const own = (/** @type {number[]} */ numbers) => numbers.map((count) => Math.max(count, 0));
  return { sides: [own(counts), own(counts.map((count) => -count).reverse())], fields };
}

/** @type {(scene: Scene) => string} */
export function xgidOf({ board: { sides: [first, second], fields }, roll, player }) {
  const [cube, owner, , dice, ...rest] = fields;
  const letters = first.map((own, point) => {
    const their = second[BAR - point];
    return own ? String.fromCharCode(64 + own) : their ? String.fromCharCode(96 + their) : '-';
  });
  const shown = roll ? (sorted(roll) === sorted(dice) ? dice : roll) : dice in OFFERS ? dice : '00';
  const turn = actorOf('1', shown) === player ? 1 : -1;
  return `XGID=${[letters.join(''), cube, owner, turn, shown, ...rest].join(':')}`;
}

/** @type {(scene: Scene) => string} */
export function positionIdOf({ board: { sides }, player }) {
  const bits = [sides[1 - player], sides[player]]
    .flatMap((side) => side.slice(1).map((count) => `${'1'.repeat(count)}0`)).join('').padEnd(80, '0');
  const bytes = [...bits.matchAll(/.{8}/g)].map(([byte]) => parseInt([...byte].reverse().join(''), 2));
  return btoa(String.fromCharCode(...bytes.slice(0, 10))).slice(0, 14);
}

/** Pips, cube and score of a scene; `half` replaces the sides while a play is entered. @type {(scene: Scene, half?: Sides | null) => Standing} */
export function standing({ board, roll }, half = null) {
  const sides = half || board.sides;
  const [cube, owner, , dice, first, second, rule, length] = board.fields;
  const doubled = dice in OFFERS && !roll;
  return {
    sides,
    pips: sides.map((side) => side.reduce((sum, count, point) => sum + count * point, 0)),
    off: sides.map((side) => 15 - side.reduce((sum, count) => sum + count, 0)),
    cube: 2 ** (Number(cube) + (doubled ? OFFERS[dice] : 0)),
    owner: owner === '0' ? null : Number(Number(owner) < 0),
    doubled,
    score: [Number(first), Number(second)],
    crawford: rule === '1' && length !== '0',
    length: Number(length),
    jacoby: '13'.includes(rule),
  };
}

/** The hops of `24/20*\/14 6/5(2)`; of equal ones only the first hits. @type {(said: string) => Hop[]} */
export function hopsOf(said) {
  /** @type {Record<string, number>} */
  const points = { bar: BAR, off: 0 };
  return said.split(' ').flatMap((word) => {
    const [way, times = '1'] = word.split(/[()]/);
    const stops = way.split('/').map((stop) => {
      const bare = stop.replace('*', '');
      return { point: points[bare] ?? Number(bare), hits: stop !== bare };
    });
    return Array.from({ length: Number(times) }, (_, time) => stops.slice(1).map(({ point, hits }, at) => (
      { source: stops[at].point, target: point, hits: hits && !time }
    ))).flat();
  });
}

/** The sides after a player's hop. @type {(sides: Sides, player: number, hop: Hop) => Sides} */
export function hopped(sides, player, { source, target }) {
  const [own, other] = [[...sides[player]], [...sides[1 - player]]];
  own[source] -= 1;
  if (target) own[target] += 1;
  if (target && other[BAR - target]) {
    other[BAR - target] -= 1;
    other[BAR] += 1;
  }
  return player ? [other, own] : [own, other];
}

/** The sides after a whole play. @type {(sides: Sides, player: number, said: string) => Sides} */
export const played = (sides, player, said) => hopsOf(said).reduce((now, hop) => hopped(now, player, hop), sides);

/** The dice of a roll, the higher first; four for a doublet. @type {(roll: string) => number[]} */
export function diceOf(roll) {
  const [high, low] = [...roll].map(Number);
  return high === low ? [high, high, high, high] : [high, low];
}

/** @type {(dice: number[], die: number) => number[]} */
export const without = (dice, die) => dice.toSpliced(dice.indexOf(die), 1);

/** The hop of a checker by a die, if it is legal. @type {(sides: Sides, player: number, source: number, die: number) => Hop | null} */
export function legalHop(sides, player, source, die) {
  const [own, other] = [sides[player], sides[1 - player]];
  const target = source - die;
  if (!own[source] || (own[BAR] && source !== BAR)) return null;
  if (target > 0) return other[BAR - target] > 1 ? null : { source, target, die };
  const highest = own.findLastIndex((count) => count);
  return highest < 7 && (target === 0 || source === highest) ? { source, target: 0, die } : null;
}

/** All legal ways to play dice, each with the sides that it reaches. @type {(sides: Sides, player: number, dice: number[]) => {sides: Sides, hops: Hop[], left: number[]}[]} */
export function waysToPlay(sides, player, dice) {
  const ways = new Map();
  let most = 0;
  const walk = (/** @type {Sides} */ now, /** @type {number[]} */ left, /** @type {Hop[]} */ hops) => {
    const seen = `${left}|${now}`;
    if (ways.has(seen)) return;
    ways.set(seen, { sides: now, hops, left });
    most = Math.max(most, hops.length);
    for (const die of new Set(left)) {
      for (let source = BAR; source; source -= 1) {
        const hop = legalHop(now, player, source, die);
        if (hop) walk(hopped(now, player, hop), without(left, die), [...hops, hop]);
      }
    }
  };
  walk(sides, dice, []);
  const full = [...ways.values()].filter(({ hops }) => hops.length === most);
  if (most !== 1 || dice.length !== 2 || dice[0] === dice[1]) return full;
  const high = full.filter(({ left }) => left[0] === Math.min(...dice));
  return high.length ? high : full;
}
