// The data of the page and what follows from them. All scripts of the page are run as one.

// What is found is of the kind that it is; checkers of types are told so.
/** @type {(id: string) => any} */
const find = (id) => document.getElementById(id);
/** @type {(selector: string) => any} */
const query = (selector) => document.querySelector(selector);
const data = JSON.parse(find('data').textContent);

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function drawn(name, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const glyphs = new Map(
  [...find('glyphs').content.children].map((span) => [span.dataset.name, span]),
);

function glyph(name) {
  const span = element('span', { className: 'glyph' });
  span.append(...glyphs.get(name).cloneNode(true).childNodes);
  return span;
}

const family = (name) => data.families[data.names[name][0]];
const member = (name) => data.names[name][1];
const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const playerName = (turn, player) => turn.game.players[player];
const points = (thousandths) => (thousandths / 1000).toFixed(3);
const signed = (thousandths) => `${thousandths < 0 ? '−' : '+'}${points(Math.abs(thousandths))}`;

// The steps of the match: its turns, each with the game, the number there and its cell in the
// table, and before a roll the decision about the cube, where it has one of its own.

const links = new Map();
for (const cell of document.querySelectorAll('.cell')) {
  for (const link of cell.children) if (link.id) links.set(link.id, link);
}

// Of a game the turns by their old addresses, which counted them: `g2t13`.
const oldPlaces = new Map();

const columns = Object.fromEntries(Object.entries(data.plays).map(([name, text]) => [name, text.split(';')]));
let analysed = 0; // turns, each with its place in the columns
const lately = { source: '', ends: ['', ''] }; // who said so, and what stood around a nacbrac

function unpackedTurn(given) {
  if (!given.plays) return {};
  lately.source = given.source ?? lately.source;
  const whole = /^(.*\[).*(\].*)$/.exec(given.nacbrac || '');
  if (whole) lately.ends = whole.slice(1);
  const column = analysed;
  analysed += 1;
  const lost = [...(given.lost || [])];
  if (!given.sound && !lost.some(([fault]) => !fault)) lost.push(...lossOf(column));
  return { ...lately, column, lost };
}

// What the play made lost, marked by its size.
function lossOf(column) {
  const made = Number(columns.heads[column].split(':')[1] || 0);
  const loss = made < 0 ? 0 : parseInt(columns.losses[column].split(' ')[made], 10);
  const [mark] = Object.entries(data.marks).find(([, least]) => loss >= least) || [''];
  return loss > 0 ? [['', loss, mark]] : [];
}

function turnsOf(game) {
  let before = null;
  const cells = find(game.id).querySelectorAll('.cell');
  return game.turns.flatMap((given, at) => {
    const link = cells[at].firstElementChild;
    const { id, textContent: text } = link;
    const roll = /^\d\d$/.test(text) ? text : '';
    const small = roll ? link.parentNode.querySelector('small') : link;
    const player = given.player ?? 1 - before.player;
    const move = Number(id.replace(/^.*\.(\d+)[ab]$/, '$1'));
    const turn = { ...given, ...unpackedTurn(given), id, game, before, player, roll, said: small ? small.textContent : '', number: at + 1, move };
    game.moves = move;
    oldPlaces.set(`${game.id}t${at + 1}`, id);
    if (turn.token === undefined && turn.name) turn.token = roll + turn.name;
    before = turn;
    if (!roll || !given.cube) return [turn];
    turn.lost = (turn.lost || []).filter(([fault]) => !fault);
    delete turn.cube;
    const decision = {
      id: `${id}c`, game, before: turn.before, player, roll: '', said: given.cube[4], number: at + 1, move, cube: given.cube,
      cube_nacbrac: given.cube_nacbrac, lost: (given.lost || []).filter(([fault]) => fault), sameAs: turn,
    };
    return [decision, turn];
  });
}

const steps = data.games.flatMap(turnsOf);
const places = new Map(steps.map((step, place) => [step.id, place]));
for (const [old, id] of oldPlaces) {
  places.set(old, places.get(id));
  if (places.has(`${id}c`)) places.set(`${old}c`, places.get(`${id}c`));
}
const firstOf = new Map();
const lastOf = new Map();
steps.forEach(({ game }, place) => {
  if (!firstOf.has(game)) firstOf.set(game, place);
  lastOf.set(game, place);
});
const isMistake = ({ lost }) => Boolean(lost && lost.some(([, , mark]) => mark));

// The candidates of a turn, best first; losses in thousandths, chances of 1000.
function candidates(turn) {
  if (turn.column === undefined) return [];
  turn.candidates ??= unpackedPlays(turn);
  return turn.candidates;
}

function unpackedPlays(turn) {
  const column = (name, sign) => columns[name][turn.column].split(sign);
  const [worth, played = 0, place = 0] = column('heads', ':').map(Number);
  const [losses, says] = [column('losses', ' '), column('says', ',')];
  const odds = [0, 1, 2, 3, 4].map((at) => column(`chances${at}`, ' '));
  const names = turn.names ? turn.names.split(',') : []; // of those that are right in the quiz
  let right = 0;
  let best = [0];
  return column('names', ' ').map((name, at) => {
    const [, given, sign, lesser] = /^(-?\d+)([+-]?)(~?)$/.exec(losses[at]) || [];
    const loss = Number(given);
    const own = odds.map((chance) => chance[at]).filter(Boolean).map(Number);
    const chances = own.map((chance, index) => (at ? best[index] + chance : chance));
    if (!at) best = chances;
    const nearly = loss < data.nearly;
    const accepted = new Set([name, ...((nearly && names[right++]) || '').split(' ')]);
    return {
      name, said: says[at] || turn.said, loss, nearly, chances, made: at === played, accepted, lesser: Boolean(lesser),
      equity: worth - loss + ({ '+': 1, '-': -1 }[sign] || 0), rank: at === 5 ? place : at + 1,
    };
  });
}

// The nacbrac of a turn; of most only so many plays are told as begin it, and what is behind them.
function nacbracOf(turn) {
  const [, count, rest] = /^(\d+)([^[]*)$/.exec(turn.nacbrac || '') || [];
  if (!count) return turn.nacbrac;
  const plays = candidates(turn);
  const first = plays.slice(0, count).map(({ name, loss }, at) => (at ? ` ${name}${loss}` : name));
  const made = madeOf(turn);
  return `${turn.ends[0]}${first.join('')}${rest.replace(data.played, () => `...${made.name}${made.loss}`)}${turn.ends[1]}`;
}

const madeOf = (turn) => candidates(turn).find(({ made }) => made);

// What the play made is worth to the first player.
function equityOf(turn) {
  const made = madeOf(turn);
  return made && (turn.player ? -made.equity : made.equity) / 1000;
}

// The board before a step. `sides` has the points of both players by their own numbers; `fields`
// are those of the XGID behind the position.

const BAR = 25;

function parseXgid(xgid) {
  const [position, ...fields] = xgid.split(':');
  const counts = [...position].map((character) => {
    const code = character.charCodeAt(0);
    return character === '-' ? 0 : code > 96 ? 96 - code : code - 64;
  });
  const own = (numbers) => numbers.map((count) => Math.max(count, 0));
  return { sides: [own(counts), own(counts.map((count) => -count).reverse())], fields };
}

function boardOf(step) {
  if (step.sameAs) return boardOf(step.sameAs);
  if (step.board === undefined) {
    if (step.xgid) step.board = parseXgid(step.xgid);
    else if (step.unknown || !step.before) step.board = null;
    else {
      const { sides, fields } = boardOf(step.before);
      const { player, said } = step.before;
      step.board = { sides: said.includes('/') ? played(sides, player, said) : sides, fields };
    }
  }
  return step.board;
}

// `24/20*/14 6/5(2)` as hops; of several alike only the first hits.
function hopsOf(said) {
  const named = { bar: BAR, off: 0 };
  return said.split(' ').flatMap((word) => {
    const [way, times = '1'] = word.split(/[()]/);
    const stops = way.split('/').map((stop) => {
      const bare = stop.replace('*', '');
      return { point: named[bare] ?? Number(bare), hits: stop !== bare };
    });
    return Array.from({ length: Number(times) }, (_, time) => stops.slice(1).map(({ point, hits }, at) => (
      { source: stops[at].point, target: point, hits: hits && !time }
    ))).flat();
  });
}

// The sides after a player's hop, or after a whole play.
function hopped(sides, player, { source, target }) {
  const [own, other] = [[...sides[player]], [...sides[1 - player]]];
  own[source] -= 1;
  if (target) own[target] += 1;
  if (target && other[BAR - target]) {
    other[BAR - target] -= 1;
    other[BAR] += 1;
  }
  return player ? [other, own] : [own, other];
}

const played = (sides, player, said) => hopsOf(said).reduce((now, hop) => hopped(now, player, hop), sides);

function standing(step, half = null) {
  const { sides: before, fields } = boardOf(step);
  const sides = half || before;
  const [cube, owner, , dice, first, second, rule, length] = fields;
  return {
    sides,
    pips: sides.map((side) => side.reduce((sum, count, point) => sum + count * point, 0)),
    off: sides.map((side) => 15 - side.reduce((sum, count) => sum + count, 0)),
    cube: 2 ** cube,
    owner: owner === '0' ? null : Number(owner < 0),
    doubled: dice === 'D' && !step.roll,
    score: [first, second],
    crawford: rule === '1' && length !== '0',
    length: Number(length),
    jacoby: rule === '1',
  };
}

function xgidOf(step) {
  const { sides: [first, second], fields } = boardOf(step);
  const [cube, owner, , dice, ...rest] = fields;
  const letters = first.map((own, point) => {
    const their = second[BAR - point];
    return own ? String.fromCharCode(64 + own) : their ? String.fromCharCode(96 + their) : '-';
  });
  const doubled = dice === 'D' && !step.roll;
  const player = doubled ? 1 - step.player : step.player;
  return `XGID=${[letters.join(''), cube, owner, player ? -1 : 1, step.roll || (doubled ? 'D' : '00'), ...rest].join(':')}`;
}

function positionIdOf(step) {
  const { sides } = boardOf(step);
  const bits = [sides[1 - step.player], sides[step.player]]
    .flatMap((side) => side.slice(1).map((count) => `${'1'.repeat(count)}0`)).join('').padEnd(80, '0');
  const bytes = [...bits.matchAll(/.{8}/g)].map(([byte]) => parseInt([...byte].reverse().join(''), 2));
  return btoa(String.fromCharCode(...bytes.slice(0, 10))).slice(0, 14);
}

// All legal ways to play a roll from here: each is a list of hops. As many dice as can be are
// played, the higher one if only one can.
function legalHop([own, other], source, die) {
  const target = source - die;
  if (!own[source] || (own[BAR] && source !== BAR)) return null;
  if (target > 0) return other[BAR - target] > 1 ? null : { source, target };
  const highest = own.findLastIndex((count) => count);
  return highest < 7 && (target === 0 || source === highest) ? { source, target: 0 } : null;
}

function waysToPlay(sides, player, dice) {
  const ways = new Map(); // by the board that they reach, to stop at what was seen
  let most = 0;
  const walk = (now, left, hops) => {
    const seen = `${left}|${now}`;
    if (ways.has(seen)) return;
    ways.set(seen, { sides: now, hops, left });
    most = Math.max(most, hops.length);
    const view = player ? [now[1], now[0]] : now;
    for (const die of new Set(left)) {
      const rest = [...left];
      rest.splice(rest.indexOf(die), 1);
      for (let source = BAR; source; source -= 1) {
        const hop = legalHop(view, source, die);
        if (hop) walk(hopped(now, player, hop), rest, [...hops, hop]);
      }
    }
  };
  walk(sides, dice, []);
  let full = [...ways.values()].filter(({ hops }) => hops.length === most);
  if (most === 1 && dice.length === 2 && dice[0] !== dice[1]) {
    const high = full.filter(({ left }) => left[0] === Math.min(...dice));
    if (high.length) full = high;
  }
  return full;
}
