'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const turns = data.games.flatMap((game) => game.turns.map((turn, at) => ({ ...turn, game, at })));
  const places = new Map(turns.map((turn, place) => [turn.id, place]));
  const find = (id) => document.getElementById(id);

  // Elements

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
  const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
  const playerName = (turn, player) => turn.game.players[player];

  // The board, the first player at the bottom, numbered from the player to move. Its field comes
  // with the page; all that changes is drawn into `now`.

  const { prefix, middle, radius, checkers, off: offPlaces, cube: cubePlaces } = data.board;
  const SIDES = ['first', 'second'];
  const FIXED = ['page', 'frame', 'field', 'pale', 'deep', 'number'];
  const SHOWN = 5; // checkers of a stack; a number tells of more
  const CLEAR = radius - 5; // how far an arrow keeps from what is to be seen

  const kind = (...names) => names.map((name) => `${prefix}-${name}`).join(' ');
  const placeOf = (player, point, slot) => checkers[player][point - 1][Math.min(slot, SHOWN - 1)];

  const now = drawn('g', {});
  const board = takeOver(document.querySelector('#board svg'));
  const pointNumbers = [...board.querySelectorAll(`.${kind('number')} text`)];

  function takeOver(svg) {
    const fixed = [...svg.children].filter((one) => FIXED.some((name) => one.classList.contains(kind(name))));
    svg.replaceChildren(...fixed, now);
    svg.setAttribute('aria-labelledby', 'standing');
    return svg;
  }

  // What an XGID says; points of both players are by their own numbers.
  function standing(turn) {
    const [position, cube, owner, , dice, ...score] = turn.xgid.split(':');
    const signed = [...position].map((character) => {
      const code = character.charCodeAt(0);
      return character === '-' ? 0 : code > 96 ? 96 - code : code - 64;
    });
    const sides = [signed, signed.map((count) => -count).reverse()].map((points) => ({
      points: points.map((count) => Math.max(count, 0)),
      pips: points.reduce((sum, count, point) => sum + Math.max(count, 0) * point, 0),
      off: 15 - points.reduce((sum, count) => sum + Math.max(count, 0), 0),
    }));
    return {
      sides,
      cube: 2 ** cube,
      owner: owner === '0' ? null : Number(owner < 0),
      doubled: dice === 'D',
      score: score.slice(0, 2),
      crawford: score[2] === '1' && score[3] !== '0',
      length: Number(score[3]),
      jacoby: score[2] === '1',
    };
  }

  function write(names, [x, y], text) {
    return drawn('text', { class: kind(...names), x, y }, String(text));
  }

  function drawCheckers({ points }, player) {
    const circles = points.flatMap((count, point) => Array.from({ length: Math.min(count, SHOWN) }, (_, slot) => {
      const [cx, cy] = placeOf(player, point, slot);
      return drawn('circle', { cx, cy, r: radius });
    }));
    return drawn('g', { class: kind(SIDES[player]) }, ...circles);
  }

  function drawHeights({ points }, player) {
    return points.flatMap((count, point) => {
      if (count <= SHOWN) return [];
      const [x, y] = placeOf(player, point, SHOWN);
      return [write([`on-${SIDES[player]}`], [x, y + 7], count)];
    });
  }

  function drawOff({ off }, player) {
    if (!off) return [];
    const places = offPlaces[player].slice(0, off);
    const [x, y] = places[off - 1];
    return [
      write(['note'], [x, y + (player ? 24 : -10)], off),
      drawn('path', { class: kind(SIDES[player]), d: places.map(([left, top]) => `M${left - 16} ${top - 5}h32v10h-32z`).join('') }),
    ];
  }

  // Beyond the player's edge: colour, name, pip count and score.
  function drawStrip(turn, state, player) {
    const y = player ? 28 : 547;
    const side = SIDES[player];
    const scored = state.length || state.score.some(Number);
    return [
      drawn('circle', { class: kind(side), cx: 22, cy: y - 7, r: 10 }),
      write(player === turn.player ? ['name'] : ['name', 'waits'], [42, y], short(turn.game.players[player])),
      write(['pips'], [scored ? 546 : 610, y], `pips ${state.sides[player].pips}`),
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
      write(['on-first'], [x, y + 7], value),
    ];
  }

  // Cube, dice and words; the dice lie at the right hand of the player to move.
  function drawMiddle(turn, state) {
    const [dice, words] = turn.player ? [168, 452] : [452, 168];
    const parts = [];
    if (state.doubled || turn.doubles) parts.push(...drawCube([turn.doubles ? words : dice, middle], state.cube * 2 * (turn.doubles || 1)));
    else if (!state.crawford || state.cube > 1) parts.push(...drawCube(cubePlaces[state.owner === null ? 0 : state.owner + 1], state.cube));
    if (turn.roll) parts.push(...[...turn.roll].map((face, at) => drawDie(turn.player, dice - 21 + 42 * at, face)));
    const told = state.length ? `${state.length} point${state.crawford ? 's, Crawford' : ' match'}` : state.jacoby ? 'Jacoby rule' : '';
    if (told && !turn.doubles) parts.push(write(['note'], [words, middle + 7], told));
    return parts;
  }

  // `24/20*/14 6/5(2)` as hops; of several alike only the first hits.
  function hopsOf(said) {
    const named = { bar: 25, off: 0 };
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

  // An arrow for each hop, from the checker that moves to where it comes to stand.
  function arrowsOf({ said, player }, { points, off }) {
    const left = [...points];
    const landed = new Array(26).fill(0);
    let slabs = off;
    const hops = hopsOf(said);
    const isCrowded = (point, slot) => slot >= SHOWN - 1 && points[point] > SHOWN;
    return hops.map(({ source, target, hits }, at) => {
      const goesOn = at && landed[source] && hops[at - 1].target === source;
      if (goesOn) landed[source] -= 1;
      else left[source] -= 1;
      const from = left[source] + landed[source];
      const start = placeOf(player, source, from);
      const tail = isCrowded(source, from) ? CLEAR : 0;
      if (!target) return { start, end: offPlaces[player][slabs++], tail, gap: radius + 1 };
      const to = left[target] + landed[target];
      landed[target] += 1;
      const rests = !hits && !(at + 1 < hops.length && hops[at + 1].source === target);
      const gap = hits || isCrowded(target, to) ? CLEAR : 6;
      return { start, end: placeOf(player, target, to), tail, gap, hits, rests };
    });
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

  function drawArrows(turn, side) {
    const ways = arrowsOf(turn, side);
    const shafts = ways.map(arrowPath).join('');
    const crosses = ways.filter(({ hits }) => hits)
      .map(({ end: [x, y] }) => `M${x - 8} ${y - 8}l16 16m0-16l-16 16`).join('');
    const rings = new Map(ways.filter(({ rests }) => rests).map(({ end }) => [end.join(), end]));
    return [
      ...[...rings.values()].map(([cx, cy]) => drawn('circle', { class: kind('ring'), cx, cy, r: radius - 1 })),
      drawn('path', { class: kind('line', 'halo'), d: shafts + crosses }),
      drawn('path', { class: kind('line', 'arrow'), d: shafts }),
      ...(crosses ? [drawn('path', { class: kind('line', 'hit'), d: crosses })] : []),
    ];
  }

  function showBoard(turn) {
    if (!turn.xgid) {
      now.replaceChildren(write(['note'], [310, middle + 7], 'board unknown'));
      return;
    }
    const state = standing(turn);
    const { sides } = state;
    pointNumbers.forEach((number, at) => { number.textContent = turn.player ? 24 - at : at + 1; });
    now.replaceChildren(
      ...sides.flatMap((side, player) => [
        drawCheckers(side, player), ...drawOff(side, player), ...drawStrip(turn, state, player),
      ]),
      ...drawMiddle(turn, state),
      ...(turn.kind ? drawArrows(turn, sides[turn.player]) : []),
      ...sides.flatMap(drawHeights),
    );
  }

  // Words

  function boardWords(turn) {
    if (!turn.xgid) return 'The board is not known.';
    const { sides, cube, owner } = standing(turn);
    const words = sides.map(({ points, pips, off }, player) => {
      const stacks = points.flatMap((count, point) => (count
        ? [`${counted(count, 'checker')} on the ${point === 25 ? 'bar' : `${point} point`}`] : []));
      if (off) stacks.unshift(`${off} borne off`);
      return `${playerName(turn, player)}: ${stacks.reverse().join(', ')}; ${counted(pips, 'pip')}.`;
    });
    const holder = owner === null ? 'in the middle' : `with ${playerName(turn, owner)}`;
    return `${words.join(' ')} The cube is ${cube === 1 ? '' : `at ${cube}, `}${holder}.`;
  }

  function turnWords(turn) {
    const roll = turn.roll ? ` rolls ${turn.roll[0]} and ${turn.roll[1]}:` : '';
    const name = turn.name ? ` ${turn.name}, ${family(turn.name)[0]}${placeWords(turn, ', ')};` : '';
    return `${turn.game.title}, turn ${turn.at + 1} of ${turn.game.turns.length}. ${playerName(turn, turn.player)}${roll}${name} ${turn.said}${errorWords(turn, ', ')}.`;
  }

  function placeWords(turn, before) {
    const { ranks } = turn;
    return ranks ? `${before}member ${ranks.at} of ${ranks.size}` : '';
  }

  function errorWords(turn, before) {
    const words = (turn.losses || []).map(([fault, size, mark]) => [
      [fault, mark && `(${mark})`].filter(Boolean).join(' '),
      size === null ? '' : `loses ${size.toFixed(3)}`,
    ].filter(Boolean).join(' '));
    return words.length ? before + words.join(', ') : '';
  }

  // The explanation of a character

  const popover = find('explanation');

  function paragraph(...children) {
    return element('p', {}, ...children);
  }

  function explained(turn) {
    const [name, meaning] = family(turn.name);
    const parts = [
      element('h3', {}, glyph(turn.name), element('span', {}, `${name} `, element('small', {}, data.kinds[turn.kind] || 'symbol'))),
      paragraph(meaning),
      paragraph(element('small', {}, `${turn.roll}: ${turn.said}`)),
    ];
    if (turn.best) parts.push(better(turn.best));
    if (turn.nacbrac) parts.push(paragraph(turn.nacbrac));
    if (turn.forced) parts.push(paragraph('Forced: the only legal play.'));
    if (turn.ranks) parts.push(decided(turn.ranks));
    if (turn.trouble) parts.push(element('p', { className: 'trouble' }, turn.trouble));
    if (turn.others) parts.push(paragraph('Also valid:'), others(turn.others));
    return parts;
  }

  function better([name, play]) {
    return paragraph('The analysis prefers ', glyph(name), ` ${play}.`);
  }

  function decided({ at, size, other, play, by }) {
    const where = `Member ${at} of ${size}, ${at === 1 ? 'ahead of' : 'after'} `;
    return paragraph(where, glyph(other), ` ${play} by `, by, '.');
  }

  function others(pairs) {
    return element('ul', {}, ...pairs.map(([name, kind]) => element('li', {},
      glyph(name), element('span', {}, `${family(name)[0]} `, element('small', {}, data.kinds[kind])))));
  }

  let opener = null; // the character whose explanation is open
  let pinned = false; // opened by a click, so that it stays when the pointer leaves

  function explain(button, turn, pin) {
    if (!turn.name) return;
    opener = button;
    pinned = pin;
    popover.replaceChildren(...explained(turn));
    popover.hidden = false;
    place(button.getBoundingClientRect(), popover.getBoundingClientRect());
    button.setAttribute('aria-describedby', 'explanation');
  }

  function place(at, box) {
    const page = document.documentElement;
    const left = Math.max(8, Math.min(at.left, page.clientWidth - box.width - 8));
    const below = at.bottom + 6 + box.height <= page.clientHeight;
    const top = below ? at.bottom + 6 : Math.max(8, at.top - box.height - 6);
    popover.style.left = `${left}px`;
    popover.style.top = `${top}px`;
  }

  function dismiss() {
    if (opener) opener.removeAttribute('aria-describedby');
    opener = null;
    pinned = false;
    popover.hidden = true;
  }

  // Steps

  let current = -1;

  const links = new Map();
  const linkOf = (turn) => links.get(turn.id);
  const cellOf = (turn) => linkOf(turn).closest('.cell');

  function reach(turn, reached) {
    const cell = cellOf(turn);
    cell.classList.toggle('now', reached);
    for (const one of cell.children) if (one.matches('a, button')) one.tabIndex = reached ? 0 : -1;
    if (reached) linkOf(turn).setAttribute('aria-current', 'true');
    else linkOf(turn).removeAttribute('aria-current');
  }

  function showGame(turn) {
    for (const { id } of data.games) {
      const shown = id === turn.game.id;
      find(id).classList.toggle('current', shown);
      const link = document.querySelector(`#games a[href="#${id}"]`);
      if (shown) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
      if (shown) bringIntoRow(link);
    }
    showPlot(turn.game);
  }

  function bringIntoRow(link) {
    const row = find('games');
    if (row.scrollWidth > row.clientWidth) row.scrollLeft = link.offsetLeft - row.clientWidth / 3;
  }

  function go(place, focus = '', follow = true) {
    if (!(place >= 0 && place < turns.length)) return;
    const before = turns[current];
    const turn = turns[place];
    const explaining = opener === find('character');
    current = place;
    dismiss();
    if (before) reach(before, false);
    if (!before || before.game !== turn.game) showGame(turn);
    reach(turn, true);
    showTurn(turn);
    history.replaceState(null, '', `#${turn.id}`);
    if (follow) keepInView(cellOf(turn));
    if (focus) (cellOf(turn).querySelector(focus) || linkOf(turn)).focus({ preventScroll: true });
    else if (explaining) explain(find('character'), turn, true);
  }

  // Scrolls the move table where it scrolls by itself, never the page.
  function keepInView(cell) {
    const box = find('moves');
    if (box.scrollHeight <= box.clientHeight) return;
    const [inner, outer] = [cell.getBoundingClientRect(), box.getBoundingClientRect()];
    const margin = 90;
    if (inner.top < outer.top + margin) box.scrollTop += inner.top - outer.top - margin;
    if (inner.bottom > outer.bottom - margin) box.scrollTop += inner.bottom - outer.bottom + margin;
  }

  function showTurn(turn) {
    showBoard(turn);
    const button = find('character');
    button.replaceChildren(...(turn.name ? [glyph(turn.name)] : []));
    button.hidden = !turn.name;
    button.setAttribute('aria-label', turn.name ? `${turn.name}, ${family(turn.name)[0]}` : '');
    find('who').textContent = playerName(turn, turn.player) + (turn.roll ? ` to play ${turn.roll}` : '');
    find('which').textContent = turn.name ? family(turn.name)[0] + placeWords(turn, ', ') : '';
    find('what').replaceChildren(turn.said, element('span', { className: 'error' }, errorWords(turn, ' ')));
    if (turn.trouble) find('what').append(element('span', { className: 'trouble' }, ` (${turn.trouble})`));
    find('place').textContent = `${turn.at + 1} / ${turn.game.turns.length}`;
    find('comment').textContent = turn.comment || '';
    find('says').textContent = turnWords(turn);
    find('standing').textContent = boardWords(turn);
    find('copied').textContent = '';
    for (const [step, target] of Object.entries(targets())) {
      document.querySelector(`[data-step=${step}]`).disabled = target === current || target === undefined;
    }
    for (const what of ['xgid', 'id']) document.querySelector(`[data-copy=${what}]`).disabled = !turn.xgid;
    markPlot(turn);
  }

  function targets() {
    const { game, at } = turns[current];
    const first = current - at;
    return {
      first,
      previous: Math.max(current - 1, 0),
      next: Math.min(current + 1, turns.length - 1),
      last: first + game.turns.length - 1,
    };
  }

  // Copies

  function sequence(turn) {
    const tokens = turn.game.turns.slice(0, turn.at + 1).map(({ token }) => token).filter(Boolean);
    const starts = turn.game.turns.find(({ roll }) => roll);
    return (starts && starts.player ? '-' : '') + tokens.join('-');
  }

  const copied = {
    xgid: (turn) => `XGID=${turn.xgid}`,
    id: (turn) => turn.position,
    sequence,
  };

  async function copy(what) {
    const text = copied[what](turns[current]);
    try {
      await navigator.clipboard.writeText(text);
      find('copied').textContent = 'Copied';
    } catch {
      find('copied').textContent = text; // to be copied by hand
    }
  }

  // Equities over the game

  function showPlot(game) {
    find('plot').replaceChildren();
    if (!game.turns.some(({ equity }) => equity !== undefined)) return;
    const width = Math.max(game.turns.length - 1, 1);
    const high = Math.max(1, ...game.turns.map(({ equity }) => Math.abs(equity || 0)));
    const y = (equity) => (50 - 46 * equity / high).toFixed(2);
    const line = game.turns.flatMap(({ equity }, at) => (equity === undefined ? [] : [`${at},${y(equity)}`]));
    const errors = game.turns.flatMap((turn, at) => (turn.losses && turn.losses.some(([, , mark]) => mark) && turn.equity !== undefined
      ? [drawn('line', { class: 'error', x1: at, x2: at, y1: y(turn.equity) - 6, y2: +y(turn.equity) + 6 })] : []));
    const plot = drawn('svg', { viewBox: `-0.5 0 ${width + 1} 100`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Equity of ${game.players[0]} over the game` },
      drawn('line', { class: 'zero', x1: -1, x2: width + 1, y1: 50, y2: 50, 'vector-effect': 'non-scaling-stroke' }),
      drawn('polyline', { class: 'equity', points: line.join(' ') }),
      ...errors,
      drawn('line', { class: 'now', y1: 0, y2: 100 }),
    );
    plot.addEventListener('click', (event) => {
      const box = plot.getBoundingClientRect();
      const at = Math.floor((event.clientX - box.left) / box.width * (width + 1));
      go(places.get(game.turns[Math.min(Math.max(at, 0), width)].id));
    });
    find('plot').append(plot, paragraph(`Equity of ${game.players[0]}, up to ±${high.toFixed(1)}`));
  }

  function markPlot(turn) {
    const line = document.querySelector('#plot .now');
    if (!line) return;
    line.setAttribute('x1', turn.at);
    line.setAttribute('x2', turn.at);
  }

  // Light and dark

  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (document.documentElement.dataset.theme || (system.matches ? 'dark' : 'light')) === 'dark';

  function showTheme() {
    find('theme').setAttribute('aria-pressed', String(isDark()));
  }

  function remembered(...value) {
    try {
      if (value.length) localStorage.setItem('nactation-theme', value[0]);
      return localStorage.getItem('nactation-theme');
    } catch {
      return null; // no storage for files in this browser
    }
  }

  function setTheme(theme) {
    if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
    showTheme();
  }

  // What the reader does

  function turnAt(hash) {
    const id = hash.slice(1);
    if (places.has(id)) return places.get(id);
    const game = data.games.find((one) => one.id === id && one.turns.length);
    return game ? places.get(game.turns[0].id) : -1;
  }

  const KEYS = {
    ArrowLeft: () => targets().previous,
    ArrowRight: () => targets().next,
  };
  // In the table also up and down, to the same player's turns.
  const TABLE_KEYS = {
    ...KEYS,
    ArrowUp: () => current - 2,
    ArrowDown: () => current + 2,
    Home: () => targets().first,
    End: () => targets().last,
  };

  function onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || current < 0) return;
    if (event.key === 'Escape') dismiss();
    const inTable = Boolean(event.target.closest('td'));
    const key = (inTable ? TABLE_KEYS : KEYS)[event.key];
    if (!key) return;
    event.preventDefault();
    go(key(), inTable ? focusedPart(event.target) : '');
  }

  // Keys in the table keep to the links or to the characters.
  const focusedPart = (target) => (target.matches('.n') ? '.n' : 'a');

  function turnOf(target) {
    const cell = target.closest('.cell');
    if (cell) return turns[turnAt(cell.querySelector('a').hash)];
    return target.closest('#character') ? turns[current] : null;
  }

  function onClick(event) {
    const { target } = event;
    const character = target.closest('.n');
    const link = target.closest('a[href^="#"]');
    if (character) {
      const turn = turnOf(character);
      const open = opener === character && pinned;
      if (turn !== turns[current]) go(places.get(turn.id));
      if (open) dismiss();
      else explain(character, turn, true);
    } else if (link) {
      const place = turnAt(link.hash);
      if (place < 0) return; // to the account, where the browser goes by itself
      event.preventDefault();
      go(place, link.closest('td') ? 'a' : '', !link.closest('.account'));
    } else if (!target.closest('#explanation')) {
      dismiss();
    }
    const step = target.closest('[data-step]');
    if (step) go(targets()[step.dataset.step]);
    const what = target.closest('[data-copy]');
    if (what) copy(what.dataset.copy);
  }

  function onPoint(event) {
    if (event.pointerType !== 'mouse' || pinned) return;
    const character = event.target.closest('.n');
    if (character) explain(character, turnOf(character), false);
    else if (opener && !event.target.closest('#explanation')) dismiss();
  }

  function onFocus(event) {
    const character = event.target.closest('.n');
    if (character && character.matches(':focus-visible')) explain(character, turnOf(character), false);
    else if (opener && !pinned && opener !== event.target) dismiss();
  }

  function start() {
    document.documentElement.classList.add('scripted');
    for (const one of document.querySelectorAll('.cell a, .cell button')) one.tabIndex = -1;
    for (const link of document.querySelectorAll('.cell a')) {
      links.set(link.id, link);
      link.id = ''; // the turn is shown on the board, so the page need not scroll to it
    }
    setTheme(remembered());
    system.addEventListener('change', showTheme);
    find('theme').addEventListener('click', () => setTheme(remembered(isDark() ? 'light' : 'dark') || (isDark() ? 'light' : 'dark')));
    document.addEventListener('keydown', onKey);
    document.addEventListener('click', onClick);
    document.addEventListener('pointerover', onPoint);
    document.addEventListener('focusin', onFocus);
    addEventListener('hashchange', () => go(turnAt(location.hash)));
    addEventListener('resize', dismiss);
    go(Math.max(turnAt(location.hash), 0));
  }

  start();
})();
