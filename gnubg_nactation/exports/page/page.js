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

  // The board, the first player at the bottom, numbered from the player to move.

  const WIDTH = 640, HEIGHT = 470, SIDE = 52, POINT = 40, BAR = 56, EDGE = 22, STACK = 5;
  const RADIUS = POINT / 2 - 1;
  const MIDDLE = SIDE + 6 * POINT + BAR / 2;

  function column(point) {
    const inner = (point - 1) % 12; // counted from the right at the bottom
    const fromRight = point <= 12 ? inner : 11 - inner;
    const bar = fromRight >= 6 ? BAR : 0;
    return WIDTH - SIDE - fromRight * POINT - bar - POINT / 2;
  }

  // Where the checker at `height` (from 0) of a stack has its centre; 0 and 25 are the bars.
  function centre(point, height) {
    const up = Math.min(height, STACK - 1) * 2 * RADIUS;
    if (point === 25) return [MIDDLE, HEIGHT / 2 + 38 + Math.min(height, 3) * 2 * RADIUS];
    if (point === 0) return [MIDDLE, HEIGHT / 2 - 38 - Math.min(height, 3) * 2 * RADIUS];
    const bottom = point <= 12;
    return [column(point), bottom ? HEIGHT - EDGE - RADIUS - 1 - up : EDGE + RADIUS + 1 + up];
  }

  function triangles() {
    const parts = [];
    for (let point = 1; point <= 24; point += 1) {
      const x = column(point);
      const bottom = point <= 12;
      const [base, tip] = bottom ? [HEIGHT - EDGE, HEIGHT - EDGE - 180] : [EDGE, EDGE + 180];
      const side = POINT / 2;
      parts.push(drawn('path', {
        class: point % 2 ? 'odd' : 'even',
        d: `M${x - side} ${base}L${x} ${tip}L${x + side} ${base}z`,
      }));
    }
    return parts;
  }

  function emptyBoard() {
    const half = 6 * POINT, height = HEIGHT - 2 * EDGE;
    const tip = drawn('path', { d: 'M0 0L8 4L0 8z' });
    const marker = drawn('marker', {
      id: 'tip', viewBox: '0 0 8 8', refX: 6, refY: 4, markerWidth: 4, markerHeight: 4, orient: 'auto',
    }, tip);
    return drawn('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-labelledby': 'standing' },
      drawn('defs', {}, marker),
      drawn('rect', { class: 'frame', width: WIDTH, height: HEIGHT, rx: 10 }),
      drawn('rect', { class: 'field', x: SIDE, y: EDGE, width: half, height }),
      drawn('rect', { class: 'field', x: SIDE + half + BAR, y: EDGE, width: half, height }),
      ...[EDGE, HEIGHT / 2 + 34].map((y) => drawn('rect', {
        class: 'tray', x: WIDTH - SIDE + 8, y, width: SIDE - 16, height: height / 2 - 34, rx: 4,
      })),
      ...triangles(),
      drawn('g', { class: 'now' }),
    );
  }

  const board = emptyBoard();
  const now = board.lastChild;

  // `BB-a...` of an XGID as 26 counts, positive for the first player.
  function counts(xgid) {
    return [...xgid.slice(0, 26)].map((character) => {
      const code = character.charCodeAt(0);
      return character === '-' ? 0 : code > 96 ? 96 - code : code - 64;
    });
  }

  function standing(turn) {
    const points = counts(turn.xgid);
    const [, cube, owner] = turn.xgid.split(':').map(Number);
    const side = (sign) => {
      const own = points.map((count, point) => [sign > 0 ? point : 25 - point, count * sign])
        .filter(([, count]) => count > 0)
        .sort(([one], [other]) => other - one);
      const pips = own.reduce((sum, [point, count]) => sum + point * count, 0);
      return { own, pips, off: 15 - own.reduce((sum, [, count]) => sum + count, 0) };
    };
    return { points, cube: 2 ** cube, owner, sides: [side(1), side(-1)] };
  }

  function checker(player, [cx, cy], name = 'checker') {
    return drawn('circle', { class: `${name} p${player}`, cx, cy, r: RADIUS - 1 });
  }

  function label(x, y, text, name = 'label') {
    return drawn('text', { class: name, x, y }, String(text));
  }

  function checkers(points) {
    const parts = [];
    points.forEach((count, point) => {
      const player = count > 0 ? 0 : 1;
      const most = point % 25 ? STACK : 4;
      for (let at = 0; at < Math.min(Math.abs(count), most); at += 1) {
        parts.push(checker(player, centre(point, at)));
      }
      if (Math.abs(count) > most) {
        const [x, y] = centre(point, most - 1);
        parts.push(label(x, y, Math.abs(count), `count p${player}`));
      }
    });
    return parts;
  }

  function borneOff(sides) {
    return sides.flatMap(({ off }, player) => Array.from({ length: off }, (_, at) => drawn('rect', {
      class: `checker p${player}`,
      x: WIDTH - SIDE + 11,
      y: player ? EDGE + 3 + at * 10.6 : HEIGHT - EDGE - 12 - at * 10.6,
      width: SIDE - 22, height: 9, rx: 2,
    })));
  }

  function numbers(player) {
    return Array.from({ length: 24 }, (_, at) => {
      const point = at + 1;
      return label(column(point), point <= 12 ? HEIGHT - EDGE / 2 : EDGE / 2, player ? 25 - point : point);
    });
  }

  const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

  function die(player, x, face) {
    const y = HEIGHT / 2 - 17;
    return drawn('g', { class: `die p${player}` },
      drawn('rect', { x, y, width: 34, height: 34, rx: 6 }),
      ...PIPS[face].map((at) => drawn('circle', { cx: x + 8 + 9 * (at % 3), cy: y + 8 + 9 * Math.floor(at / 3), r: 3.4 })),
    );
  }

  function dice(turn) {
    const half = turn.player ? SIDE + 3 * POINT : WIDTH - SIDE - 3 * POINT;
    return [...turn.roll].map((face, at) => die(turn.player, half - 38 + 42 * at, face));
  }

  function cubeAt(state, turn) {
    const offered = turn.xgid.split(':')[4] === 'D' || turn.doubles;
    const doubler = turn.doubles ? turn.player : 1 - turn.player;
    let [x, y] = [SIDE / 2, HEIGHT / 2];
    if (offered) x = doubler ? SIDE + 3 * POINT : WIDTH - SIDE - 3 * POINT;
    else if (state.owner) y = state.owner > 0 ? HEIGHT - EDGE - 24 : EDGE + 24;
    const value = state.cube * (offered ? 2 : 1);
    return [
      drawn('rect', { class: 'cube', x: x - 19, y: y - 19, width: 38, height: 38, rx: 6 }),
      label(x, y, value === 1 ? 64 : value, 'cube-text'),
    ];
  }

  // Each hop from the top checker of where it starts to where it lands; ghosts where it rests.
  function arrows(turn, points) {
    const sign = turn.player ? -1 : 1;
    const own = points.map((count) => Math.max(count * sign, 0));
    const place = (point) => (sign > 0 ? point : 25 - point);
    const parts = [];
    const ghosts = new Map();
    let off = 15 - own.reduce((sum, count) => sum + count, 0);
    for (const [source, target] of turn.hops) {
      const from = place(source);
      own[from] -= 1;
      const start = centre(from, own[from]);
      ghosts.delete(`${from}/${own[from]}`);
      let end = [WIDTH - SIDE / 2, turn.player ? EDGE + 8 + off * 10.6 : HEIGHT - EDGE - 8 - off * 10.6];
      if (target) {
        const to = place(target);
        end = centre(to, own[to]);
        ghosts.set(`${to}/${own[to]}`, end);
        own[to] += 1;
      } else off += 1;
      parts.push(drawn('path', { class: 'arrow', d: curve(start, end), 'marker-end': 'url(#tip)' }));
    }
    return [...[...ghosts.values()].map((end) => checker(turn.player, end, 'ghost')), ...parts];
  }

  function curve([x, y], [toX, toY]) {
    const bend = Math.abs(toY - y) < 60 ? (y > HEIGHT / 2 ? -26 : 26) : 0;
    return `M${x} ${y}Q${(x + toX) / 2} ${(y + toY) / 2 + bend} ${toX} ${toY}`;
  }

  function showBoard(turn) {
    if (!turn.xgid) {
      now.replaceChildren(label(WIDTH / 2, HEIGHT / 2, 'board unknown', 'unknown'));
      return;
    }
    const state = standing(turn);
    now.replaceChildren(
      ...numbers(turn.player),
      ...checkers(state.points),
      ...borneOff(state.sides),
      ...cubeAt(state, turn),
      ...(turn.roll ? dice(turn) : []),
      ...(turn.hops ? arrows(turn, state.points) : []),
      ...state.sides.map(({ pips }, player) => label(
        MIDDLE, player ? EDGE + 14 : HEIGHT - EDGE - 14, pips, 'pips',
      )),
    );
  }

  // Words

  function boardWords(turn) {
    if (!turn.xgid) return 'The board is not known.';
    const { sides, cube, owner } = standing(turn);
    const words = sides.map(({ own, pips, off }, player) => {
      const stacks = own.map(([point, count]) => `${counted(count, 'checker')} on the ${point === 25 ? 'bar' : `${point} point`}`);
      if (off) stacks.push(`${off} borne off`);
      return `${playerName(turn, player)}: ${stacks.join(', ')}; ${counted(pips, 'pip')}.`;
    });
    const holder = owner ? `with ${playerName(turn, owner > 0 ? 0 : 1)}` : 'in the middle';
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
    if (!popover.matches(':popover-open')) popover.showPopover();
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
    if (popover.matches(':popover-open')) popover.hidePopover();
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

  function go(place, focus = '') {
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
    keepInView(cellOf(turn));
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
      event.preventDefault();
      go(turnAt(link.hash), link.closest('td') ? 'a' : '');
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
    find('board').replaceChildren(board);
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
