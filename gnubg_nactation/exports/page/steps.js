// From step to step: buttons, keys, links, the finger, and the history of the browser.

let current = -1;
let marked = null; // the step whose cell is marked in the table; a quiz goes on without

const cellOf = ({ id }) => links.get(id).closest('.cell');

function reach(step, reached) {
  const cell = cellOf(step);
  cell.classList.toggle('now', reached);
  for (const one of cell.children) if (one.matches('a, button')) one.tabIndex = reached ? 0 : -1;
  if (reached) links.get(step.id).setAttribute('aria-current', 'true');
  else links.get(step.id).removeAttribute('aria-current');
}

function showGame(step) {
  for (const { id } of data.games) {
    const shown = id === step.game.id;
    find(id).classList.toggle('current', shown);
    const link = query(`#games a[href="#${id}"]`);
    if (shown) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
    if (shown) bringIntoRow(link);
  }
  showPlot(step.game);
}

function bringIntoRow(link) {
  const row = find('games');
  if (row.scrollWidth > row.clientWidth) row.scrollLeft = link.offsetLeft - row.clientWidth / 3;
}

// `way` is what becomes of the address: a jump can be taken back, a step takes its place.
function go(place, { focus = '', follow = true, way = 'step' } = {}) {
  if (!(place >= 0 && place < steps.length)) return;
  const step = steps[place];
  const explaining = explainer === find('character');
  current = place;
  dismiss();
  if (asking) endQuiz();
  if (marked) reach(marked, false);
  if (!marked || marked.game !== step.game) showGame(step);
  reach(step, true);
  marked = step;
  showStep(step);
  address(step.id, way === 'jump' || !places.has(location.hash.slice(1)) ? way : 'step');
  if (follow) keepInView(cellOf(step));
  if (focus) (cellOf(step).querySelector(focus) || links.get(step.id)).focus({ preventScroll: true });
  else if (explaining) explain(find('character'), step, true);
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

function showStep(step) {
  showBoard(step);
  const button = find('character');
  button.replaceChildren(...(step.name ? [glyph(step.name)] : []));
  button.hidden = !step.name;
  button.setAttribute('aria-label', step.name ? `${step.name}, ${family(step.name)[0]}` : '');
  const asked = step.sameAs ? ' on the cube' : step.roll ? ` to play ${step.roll}` : '';
  find('who').textContent = playerName(step, step.player) + asked;
  find('which').textContent = step.name ? family(step.name)[0] + placeWords(step, ', ') : '';
  find('what').replaceChildren(step.trouble
    ? element('span', { className: 'trouble' }, step.trouble)
    : step.said, element('span', { className: 'error' }, errorWords(step, ' ')));
  find('place').textContent = `Move ${step.move} of ${step.game.moves}`;
  find('comment').textContent = step.comment || '';
  find('says').textContent = stepWords(step);
  find('standing').textContent = boardWords(step);
  showPanel(step);
  for (const [name, target] of Object.entries(targets())) {
    query(`[data-step=${name}]`).disabled = target === current || target === undefined;
  }
  offerCopies(step);
  markPlot(step);
}

function targets() {
  const { game } = steps[current];
  return {
    first: firstOf.get(game),
    previous: Math.max(current - 1, 0),
    next: Math.min(current + 1, steps.length - 1),
    last: lastOf.get(game),
  };
}

// The next mistake that way, or none.
function mistake(by) {
  let place = current + by;
  while (steps[place] && !isMistake(steps[place])) place += by;
  return place;
}

// Equities over the game

function showPlot(game) {
  const turns = steps.slice(firstOf.get(game), lastOf.get(game) + 1).filter(({ sameAs }) => !sameAs);
  const equities = turns.map(equityOf);
  find('plot').replaceChildren();
  if (!equities.some((equity) => equity !== undefined)) return;
  const width = Math.max(turns.length - 1, 1);
  const high = Math.max(1, ...equities.map((equity) => Math.abs(equity || 0)));
  const y = (equity) => Number((50 - 46 * equity / high).toFixed(2));
  const line = equities.flatMap((equity, at) => (equity === undefined ? [] : [`${at},${y(equity)}`]));
  const errors = turns.flatMap((turn, at) => (isMistake(turn) && equities[at] !== undefined
    ? [drawn('line', { class: 'error', x1: at, x2: at, y1: y(equities[at]) - 6, y2: y(equities[at]) + 6 })] : []));
  const plot = drawn('svg', { viewBox: `-0.5 0 ${width + 1} 100`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Equity of ${game.players[0]} over the game` },
    drawn('line', { class: 'zero', x1: -1, x2: width + 1, y1: 50, y2: 50, 'vector-effect': 'non-scaling-stroke' }),
    drawn('polyline', { class: 'equity', points: line.join(' ') }),
    ...errors,
    drawn('line', { class: 'now', y1: 0, y2: 100 }),
  );
  plot.addEventListener('click', (event) => {
    const box = plot.getBoundingClientRect();
    const at = Math.floor((event.clientX - box.left) / box.width * (width + 1));
    go(places.get(turns[Math.min(Math.max(at, 0), width)].id), { way: 'jump' });
  });
  find('plot').append(plot, paragraph(`Equity of ${game.players[0]}, up to ±${high.toFixed(1)}`));
}

function markPlot(step) {
  const line = query('#plot .now');
  if (!line) return;
  line.setAttribute('x1', step.number - 1);
  line.setAttribute('x2', step.number - 1);
}

// The addresses: a step, a game, a list of errors, a quiz.

function placeAt(hash) {
  const id = hash.slice(1);
  if (places.has(id)) return places.get(id);
  const game = data.games.find((one) => one.id === id && one.turns.length);
  return game ? firstOf.get(game) : -1;
}

function follow(hash, way) {
  const id = hash.slice(1);
  const place = placeAt(hash);
  const list = [...document.querySelectorAll('.account')].find((one) => one.id === id);
  if (place >= 0) go(place, { way: way === 'none' && !places.has(id) ? 'step' : way });
  else if (id === 'quiz' || id === 'letters') startQuiz(id);
  else {
    if (asking) endQuiz();
    if (current < 0 || !list) go(Math.max(current, 0), { way: list ? 'none' : 'step' });
    if (list) list.scrollIntoView();
  }
  if (place < 0) address(id, list || asking ? way : 'none');
}

// What the reader does

const jump = (place) => go(place, { way: 'jump' });

function flip() {
  flipped = !flipped;
  find('flip').setAttribute('aria-pressed', String(flipped));
  if (asking) showQuestion();
  else preview(steps[current], picked);
}

const KEYS = {
  ArrowLeft: (options) => go(targets().previous, options),
  ArrowRight: (options) => go(targets().next, options),
  n: () => jump(mistake(1)),
  p: () => jump(mistake(-1)),
  f: flip,
  '?': () => find('keys').showModal(),
};
// In the table also up and down, to the same player's turns.
const TABLE_KEYS = {
  ...KEYS,
  ArrowUp: (options) => go(sameSide(-1), options),
  ArrowDown: (options) => go(sameSide(1), options),
  Home: (options) => go(targets().first, { ...options, way: 'jump' }),
  End: (options) => go(targets().last, { ...options, way: 'jump' }),
};

// Two turns on, whatever is decided about the cube between them.
function sameSide(by) {
  const { game, number } = steps[current];
  return places.get(`${game.id}t${number + 2 * by}`) ?? -1;
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || current < 0 || find('keys').open) return;
  if (event.key === 'Escape') dismiss();
  if (event.target.matches('input, select')) return;
  if (asking && !['f', '?'].includes(event.key)) return;
  if (/^[1-9]$/.test(event.key)) pick(steps[current], Number(event.key) - 1);
  const inTable = Boolean(event.target.closest('td'));
  const key = (inTable ? TABLE_KEYS : KEYS)[event.key];
  if (!key) return;
  event.preventDefault();
  key({ focus: inTable ? focusedPart(event.target) : '' });
}

// Keys in the table keep to the links or to the characters.
const focusedPart = (target) => (target.matches('.n') ? '.n' : 'a');

function stepOf(target) {
  const cell = target.closest('.cell');
  if (cell) return steps[placeAt(links.get(cell.dataset.id).hash)];
  return target.closest('#character') ? steps[current] : null;
}

function onClick(event) {
  const { target } = event;
  const character = target.closest('.n');
  const link = target.closest('a[href^="#"]');
  if (character) {
    const step = stepOf(character);
    const open = explainer === character && pinned;
    if (step !== steps[current]) jump(places.get(step.id));
    if (open) dismiss();
    else explain(character, step, true);
  } else if (link) {
    event.preventDefault();
    const place = placeAt(link.hash);
    if (place < 0) follow(link.hash, 'jump');
    else go(place, { focus: link.closest('td') ? 'a' : '', follow: !link.closest('.account'), way: 'jump' });
  } else if (!target.closest('#explanation')) {
    dismiss();
  }
  const step = target.closest('[data-step]');
  if (step) go(targets()[step.dataset.step], { way: ['first', 'last'].includes(step.dataset.step) ? 'jump' : 'step' });
  const what = target.closest('[data-copy]');
  if (what) copy(what.dataset.copy);
  const candidate = target.closest('[data-candidate]');
  if (candidate) pick(steps[current], Number(candidate.dataset.candidate));
}

function onPoint(event) {
  if (event.pointerType !== 'mouse') return;
  const candidate = event.target.closest('[data-candidate]');
  if (candidate) preview(steps[current], Number(candidate.dataset.candidate));
  if (pinned) return;
  const character = event.target.closest('.n');
  if (character) explain(character, stepOf(character), false);
  else if (explainer && !event.target.closest('#explanation')) dismiss();
}

function onLeave(event) {
  if (event.target.closest('[data-candidate]') && current >= 0) preview(steps[current], picked);
}

function onFocus(event) {
  const candidate = event.target.closest('[data-candidate]');
  if (candidate && candidate.matches(':focus-visible')) preview(steps[current], Number(candidate.dataset.candidate));
  const character = event.target.closest('.n');
  if (character && character.matches(':focus-visible')) explain(character, stepOf(character), false);
  else if (explainer && !pinned && explainer !== event.target) dismiss();
}

// A finger that is drawn over the board turns a page.
let touched = null;

function onTouch(event) {
  touched = event.pointerType === 'touch' && !asking ? [event.clientX, event.clientY] : null;
}

function onRelease(event) {
  if (!touched) return;
  const [x, y] = [event.clientX - touched[0], event.clientY - touched[1]];
  touched = null;
  if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? targets().next : targets().previous);
}
