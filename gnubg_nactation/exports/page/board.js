// The board, numbered from the player to move. Its field comes with the page; all that changes is
// drawn into a group upon it. Whose side is at the bottom is for the reader to say.

const { prefix, middle, radius, checkers, off: offPlaces, cube: cubePlaces } = data.board;
const SIDES = ['first', 'second'];
const FIXED = ['page', 'frame', 'field', 'pale', 'deep', 'number'];
const SHOWN = 5; // checkers of a stack; a number tells of more
const CLEAR = radius - 5; // how far an arrow keeps from what is to be seen

const kind = (...names) => names.map((name) => `${prefix}-${name}`).join(' ');

let flipped = false; // the second player at the bottom
const seat = (player) => (flipped ? 1 - player : player);
const placeOf = (player, point, slot) => checkers[seat(player)][point - 1][Math.min(slot, SHOWN - 1)];

const board = query('#board svg');
const now = drawn('g', {});
board.replaceChildren(
  ...[...board.children].filter((one) => FIXED.some((name) => one.classList.contains(kind(name)))), now,
);
board.setAttribute('aria-labelledby', 'standing');

function write(names, [x, y], text) {
  return drawn('text', { class: kind(...names), x, y }, String(text));
}

function drawCheckers(side, player) {
  const circles = side.flatMap((count, point) => Array.from({ length: Math.min(count, SHOWN) }, (_, slot) => {
    const [cx, cy] = placeOf(player, point, slot);
    return drawn('circle', { cx, cy, r: radius });
  }));
  return drawn('g', { class: kind(SIDES[player]) }, ...circles);
}

// Numbers on stacks that are higher than can be shown; `5+1` where a checker comes to lie on one.
function drawHeights(side, player, arriving) {
  return side.flatMap((count, point) => {
    const more = arriving.get(point) || 0;
    if (count <= SHOWN && !more) return [];
    const [x, y] = placeOf(player, point, SHOWN);
    const text = write([`on-${SIDES[player]}`], [x, y + 7], more ? `${count}+${more}` : count);
    return [squeezed(text, 36)];
  });
}

// A text no wider than the room, by what the widest of usual fonts take.
function squeezed(text, room) {
  if (13 * text.textContent.length > room) {
    text.setAttribute('textLength', room);
    text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
  }
  return text;
}

function drawOff(off, player) {
  if (!off) return [];
  const taken = offPlaces[seat(player)].slice(0, off);
  const [x, y] = taken[off - 1];
  return [
    write(['note'], [x, y + (seat(player) ? 24 : -10)], off),
    drawn('path', { class: kind(SIDES[player]), d: taken.map(([left, top]) => `M${left - 16} ${top - 5}h32v10h-32z`).join('') }),
  ];
}

// Beyond the player's edge: colour, name, pip count and score.
function drawStrip(step, state, player) {
  const y = seat(player) ? 28 : 547;
  const side = SIDES[player];
  const scored = state.length || state.score.some(Number);
  return [
    drawn('circle', { class: kind(side), cx: 22, cy: y - 7, r: 10 }),
    write(player === step.player ? ['name'] : ['name', 'waits'], [42, y], short(step.game.players[player])),
    write(['pips'], [scored ? 546 : 610, y], `pips ${state.pips[player]}`),
    ...(scored ? [
      drawn('rect', { class: kind(side), x: 560, y: y - 21, width: 50, height: 28, rx: 6 }),
      write([`on-${side}`], [585, y], state.score[player]),
    ] : []),
  ];
}

// A name as the page has it, in marks that keep its direction to itself, cut to fit.
function short(name) {
  const letters = [...name].slice(1, -1);
  const most = letters.every((letter) => letter < '\u0250') ? 24 : 14;
  return letters.length > most ? `\u2068${letters.slice(0, most - 1).join('')}…\u2069` : name;
}

const PIPS = {
  1: [[0, 0]],
  2: [[-2, -2], [2, 2]],
  3: [[-2, -2], [0, 0], [2, 2]],
  4: [[-2, -2], [2, -2], [-2, 2], [2, 2]],
  5: [[-2, -2], [2, -2], [0, 0], [-2, 2], [2, 2]],
  6: [[-2, -2], [2, -2], [-2, 0], [2, 0], [-2, 2], [2, 2]],
};

function drawDie(player, x, face) {
  const dots = PIPS[face].map(([dx, dy]) => `M${x + 4 * dx} ${middle + 4 * dy}h0`).join('');
  return drawn('g', { class: kind(SIDES[player]) },
    drawn('rect', { x: x - 17, y: middle - 17, width: 34, height: 34, rx: 7 }),
    drawn('path', { class: kind('pip'), d: dots }));
}

function drawCube([x, y], value) {
  return [
    drawn('rect', { class: kind('cube'), x: x - 17, y: y - 17, width: 34, height: 34, rx: 5 }),
    squeezed(write(['on-first'], [x, y + 7], value), 30),
  ];
}

// Cube, dice and words, upon the arrows; the dice lie at the right hand of the player to move.
function drawMiddle(step, state) {
  const [dice, words] = seat(step.player) ? [168, 452] : [452, 168];
  const parts = [];
  const owner = state.owner === null ? 0 : seat(state.owner) + 1;
  if (state.doubled || step.doubles) parts.push(...drawCube([step.doubles ? words : dice, middle], state.cube * 2 * (step.doubles || 1)));
  else if (!state.crawford || state.cube > 1) parts.push(...drawCube(cubePlaces[owner], state.cube));
  if (step.roll) parts.push(...[...step.roll].map((face, at) => drawDie(step.player, dice - 21 + 42 * at, face)));
  const told = state.length ? `${state.length} point${state.crawford ? 's, Crawford' : ' match'}` : state.jacoby ? 'Jacoby rule' : '';
  if (told && !step.doubles) parts.push(squeezed(write(['note'], [words, middle + 7], told), 232));
  return parts;
}

// An arrow for each hop, from the checker that moves to where it comes to stand.
function arrowsOf(said, player, side, off) {
  const left = [...side];
  const landed = new Array(26).fill(0);
  let slabs = off;
  const hops = hopsOf(said);
  const isCrowded = (point, slot) => slot >= SHOWN - 1 && side[point] > SHOWN;
  const ways = hops.map(({ source, target, hits }, at) => {
    const goesOn = at && landed[source] && hops[at - 1].target === source;
    if (goesOn) landed[source] -= 1;
    else left[source] -= 1;
    const from = left[source] + landed[source];
    const start = placeOf(player, source, from);
    const tail = isCrowded(source, from) ? CLEAR : 0;
    if (!target) return { source, target, start, end: offPlaces[seat(player)][slabs++], tail, gap: radius + 1 };
    const to = left[target] + landed[target];
    landed[target] += 1;
    const rests = !hits && !(at + 1 < hops.length && hops[at + 1].source === target);
    const full = to >= SHOWN;
    const gap = hits || full || isCrowded(target, to) ? CLEAR : 6;
    return { source, target, start, end: placeOf(player, target, to), tail, gap, hits, rests, full };
  });
  return uncrossed(ways);
}

// Of two checkers that go the same way, along one edge, the lower one comes to stand lower.
function uncrossed(ways) {
  for (let at = 0; at + 1 < ways.length; at += 1) {
    const [one, next] = [ways[at], ways[at + 1]];
    const alike = one.source === next.source && one.target === next.target && one.target;
    if (alike && (one.start[1] < middle) === (one.end[1] < middle)) {
      const same = [at];
      while (ways[at + 1] && ways[at + 1].source === one.source && ways[at + 1].target === one.target) same.push(at += 1);
      const ends = same.map((place) => ways[place]).reverse();
      const turned = same.map((place, index) => ({ ...ends[index], start: ways[place].start, tail: ways[place].tail }));
      same.forEach((place, index) => { ways[place] = turned[index]; });
    }
  }
  return ways;
}

// The shaft, bent to the middle within one half of the board, then the head.
function arrowPath({ start: [x1, y1], end: [x2, y2], tail, gap }) {
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
  const numbers = [
    ['M', x1 + part * (bendX - x1), y1 + part * (bendY - y1)], ['Q', bendX, bendY], ['', tipX, tipY],
    ['M', backX + sideX, backY + sideY], ['L', tipX, tipY], ['L', backX - sideX, backY - sideY],
  ];
  return numbers.map(([letter, x, y]) => `${letter} ${x.toFixed(0)} ${y.toFixed(0)}`).join(' ');
}

function drawArrows(ways) {
  if (!ways.length) return [];
  const shafts = ways.map(arrowPath).join('');
  const crosses = ways.filter(({ hits }) => hits)
    .map(({ end: [x, y] }) => `M${x - 8} ${y - 8}l16 16m0-16l-16 16`).join('');
  const rings = new Map(ways.filter(({ rests, full }) => rests && !full).map(({ end }) => [end.join(), end]));
  return [
    ...[...rings.values()].map(([cx, cy]) => drawn('circle', { class: kind('ring'), cx, cy, r: radius - 1 })),
    drawn('path', { class: kind('line', 'halo'), d: shafts + crosses }),
    drawn('path', { class: kind('line', 'arrow'), d: shafts }),
    ...(crosses ? [drawn('path', { class: kind('line', 'hit'), d: crosses })] : []),
  ];
}

// What is to be drawn for a step, with the arrows of a play, if it is one; `sides` may be those of
// a play that is half made.
function drawing(step, said, sides) {
  const state = standing(step, sides);
  const ways = said.includes('/') ? arrowsOf(said, step.player, state.sides[step.player], state.off[step.player]) : [];
  const arriving = new Map();
  for (const { target, full, rests } of ways) if (full && rests) arriving.set(target, (arriving.get(target) || 0) + 1);
  return [
    ...state.sides.flatMap((side, player) => [
      drawCheckers(side, player), ...drawOff(state.off[player], player), ...drawStrip(step, state, player),
    ]),
    ...drawArrows(ways),
    ...drawMiddle(step, state),
    ...state.sides.flatMap((side, player) => drawHeights(side, player, player === step.player ? arriving : new Map())),
  ];
}

function number(svg, step) {
  const down = seat(step.player) === 1;
  svg.querySelectorAll(`.${kind('number')} text`).forEach((text, at) => { text.textContent = down ? 24 - at : at + 1; });
}

function showBoard(step, said = step.name ? step.said : '', sides = null) {
  if (!boardOf(step)) {
    now.replaceChildren(write(['note'], [310, middle + 7], 'board unknown'));
    return;
  }
  number(board, step);
  now.replaceChildren(...drawing(step, said, sides));
}

// The player's own point where the board is clicked; 25 the bar, 0 borne off, -1 nothing, which are
// the dice, too.
function pointAt(event, player) {
  const box = board.getBoundingClientRect();
  const { width, height } = board.viewBox.baseVal;
  const scale = Math.min(box.width / width, box.height / height);
  const x = (event.clientX - box.left - (box.width - width * scale) / 2) / scale;
  const y = (event.clientY - box.top - (box.height - height * scale) / 2) / scale;
  if (x > 576) return 0;
  if (x > 290 && x < 330) return BAR;
  if (Math.abs(y - middle) < radius) return -1;
  const near = checkers[seat(player)].slice(0, 24).findIndex(([[cx, cy]]) => Math.abs(cx - x) < 20 && (cy < middle) === (y < middle));
  return near + 1 || -1;
}
