// The explorer: from position to position by the plays that were made there.
//
// A place is where a sequence leads: its node, if the page has one, the board, and the roll that
// is looked at alone, if the sequence ends with one.

const [NAME, SAID, COUNT, ERROR, ADJUSTED, RESULT, NEXT, LEFT] = [0, 1, 2, 3, 4, 5, 6, 7]; // of a play
const ROLLS = [6, 5, 4, 3, 2, 1].flatMap((high) => Array.from({ length: high }, (_, at) => `${high}${high - at}`));
const panel = find('panel');
const game = { players: data.players };

let here = null;
let typed = ''; // the first digit of a roll

const root = {
  tokens: [], node: data.nodes[0], roll: '',
  step: { player: data.player, roll: '', said: '', name: '', game, board: parseXgid(data.xgid) },
};

const unseen = (text) => element('span', { className: 'unseen' }, text);
const writtenAs = (roll, play) => roll + play[NAME];
const rollsOf = (node) => ROLLS.filter((roll) => playsOf(node, roll).length);
const playsOf = (node, roll) => (node.rolls[roll] ? node.rolls[roll].plays : []);

// The place that a play of this one leads to.
function placeAfter({ tokens, step }, roll, play) {
  const { sides, fields } = step.board;
  const reached = play[SAID] ? played(sides, step.player, play[SAID]) : sides;
  return {
    tokens: [...tokens, writtenAs(roll, play)],
    node: play[NEXT] < 0 ? null : data.nodes[play[NEXT]],
    roll: '',
    step: { ...step, player: 1 - step.player, board: { sides: reached, fields } },
  };
}

// A sequence as people write it: 31P-63R, 31P 36R, 31-point; a take goes without saying.
function tokensOf(text) {
  const tokens = [];
  for (const part of text.split(/[\s,;-]+/).filter(Boolean)) {
    const bare = tokens.length && /^\d\d$/.test(tokens.at(-1));
    if (bare && !/^[1-6][1-6]/.test(part)) tokens[tokens.length - 1] += part;
    else if (!/^[CRT]$/.test(part)) tokens.push(part);
  }
  return tokens;
}

function rollOf(token) {
  const found = /^([1-6])([1-6])/.exec(token);
  return found ? [...found.slice(1)].sort().reverse().join('') : '';
}

const means = ([name], rest) => name === rest
  || (data.spellings[name] || []).some((one) => one === rest || (one.length > 1 && one.toLowerCase() === rest.toLowerCase()));

const joined = (words) => (words.length ? words.join(' ') : 'nothing');
const after = ({ tokens }) => (tokens.length ? `after ${[...data.before, ...tokens].join('-')}` : 'where the page begins');

// Where tokens lead from the root; what is wrong with the first that leads nowhere.
function follow(tokens) {
  let place = root;
  for (const [at, token] of tokens.entries()) {
    const roll = rollOf(token);
    const rest = token.slice(2);
    const last = at === tokens.length - 1;
    if (!roll && !/^(F|Fan|\^)$/i.test(token)) return { place, wrong: `“${token}” is no roll with its play, as 63R is` };
    if (!place.node) return { place, wrong: `The page ends ${after(place)}` };
    const { node } = place;
    if (!roll) {
      const [fan] = rollsOf(node).filter((one) => playsOf(node, one).some(([name]) => name === '^'));
      if (!fan) return { place, wrong: `Nobody fanned ${after(place)}` };
      place = placeAfter(place, fan, playsOf(node, fan).find(([name]) => name === '^'));
      continue;
    }
    if (!playsOf(node, roll).length) return { place, wrong: `No ${roll} was thrown ${after(place)}; thrown were ${joined(rollsOf(node))}` };
    const known = playsOf(node, roll);
    const play = known.find((one) => means(one, rest)) || (!rest && !last && known.length === 1 ? known[0] : null);
    if (play) place = placeAfter(place, roll, play);
    else if (!rest && last) place = { ...place, roll };
    else return { place: { ...place, roll }, wrong: `${roll}${rest} leaves the tree ${after(place)}; played were ${joined(known.map((one) => writtenAs(roll, one)))}` };
  }
  return { place, wrong: '' };
}

const tokensTo = ({ tokens, roll }) => [...tokens, roll].filter(Boolean).join('-');
const escaped = (text) => encodeURI(text).replaceAll('#', '%23');
const linkTo = (place) => `#${escaped(tokensTo(place))}`;

function fromAddress() {
  let text = '';
  try {
    text = decodeURIComponent(location.hash.slice(1));
  } catch {
    text = location.hash.slice(1);
  }
  return follow(tokensOf(text));
}

// What is shown

function go({ place, wrong = '' }, way = 'jump') {
  here = place;
  typed = '';
  address(escaped(tokensTo(place)), way);
  find('wrong').textContent = wrong;
  showBoard(place.step, '');
  find('standing').textContent = boardWords(place.step);
  showWay();
  showReached();
  showRolls();
  showPlays();
  document.title = `${[...data.before, tokensTo(place)].filter(Boolean).join('-') || data.title} – Nactation`;
}

const tokenShown = (token) => {
  const name = token.slice(2);
  return [token.slice(0, 2), ...(name && glyphs.has(name) ? [glyph(name)] : [name])];
};

function showWay() {
  let place = root;
  const links = [[root, [data.title]]];
  for (const token of here.tokens) {
    place = follow([...place.tokens, token]).place;
    links.push([place, tokenShown(token)]);
  }
  find('crumbs').replaceChildren(...links.map(([one, shown], at) => {
    const link = element('a', { href: linkTo(one) }, ...shown);
    if (at === links.length - 1) link.setAttribute('aria-current', 'page');
    return element('li', {}, link);
  }));
}

// The tokens of a sequence behind those that lead to the root; all of them, if they do not.
function behindRoot(text) {
  const tokens = tokensOf(text);
  return data.before.every((token, at) => tokens[at] === token) ? tokens.slice(data.before.length) : tokens;
}

// By which sequences one comes here; those that the page knows are links.
function showReached() {
  const { node } = here;
  const ways = node ? node.ways : [];
  const rest = node && node.more ? ` and ${node.more} more` : '';
  const parts = ways.map(([way, count]) => {
    const times = ways.length > 1 || rest ? ` (${count})` : '';
    const { place, wrong } = follow(behindRoot(way));
    const known = way && !wrong && place.node === node && !place.roll;
    return element('span', { className: 'at' }, known ? element('a', { href: linkTo(place) }, way) : way || 'the first roll', times);
  });
  const listed = parts.flatMap((part, at) => (at ? [', ', part] : [part]));
  find('reached').replaceChildren(...(parts.length ? ['Reached by ', ...listed, rest] : []));
}

function showRolls() {
  const { node, roll, step } = here;
  find('thrown').replaceChildren(
    node ? counted(node.count, 'roll') : 'Not in this page',
    element('small', {}, `${playerName(step, step.player).slice(1, -1)} to roll`),
  );
  find('rolls').hidden = !node;
  find('rolls').replaceChildren(...(node ? ROLLS : []).map((one) => {
    const { count = 0 } = node.rolls[one] || {};
    const button = element('button', { type: 'button', disabled: !playsOf(node, one).length }, one, element('small', {}, unseen('thrown '), String(count), unseen(count === 1 ? ' time' : ' times')));
    button.dataset.roll = one;
    button.setAttribute('aria-pressed', String(one === roll));
    return button;
  }));
}

const signOf = (error) => (error === null ? null : data.signs.find(([limit]) => error >= limit) || [0, '', 'none']);
const plain = (thousandths) => points(thousandths).replace(/^0/, '');
const within = (far, digits) => (far === null ? '' : ` ±${digits(far)}`);
const hundredths = (thousandths) => (thousandths / 1000).toFixed(2);
const signedly = (thousandths) => `${thousandths < 0 ? '−' : '+'}${hundredths(Math.abs(thousandths))}`;

const percent = (share) => (share < 0.005 ? '<1%' : `${Math.round(100 * share)}%`);

function toldOf(name, mean) {
  return mean ? [`${name} ${signedly(mean[0])}${within(mean[1], hundredths)} of ${mean[2]}`] : [];
}

// The cells of a row: sign, what was done, how often, what it lost, and below what it brought.
function cells(row, whole, what) {
  const error = row[ERROR];
  const [, sign, kind] = signOf(error && error[0]) || [0, '', 'unknown'];
  const share = row[COUNT] / whole;
  const bar = element('span', { className: 'bar' }, element('span', {}));
  bar.firstChild.style.width = `${100 * share}%`;
  bar.setAttribute('aria-hidden', 'true');
  const told = [
    ...(row[LEFT] ? ['≠ leaves the book'] : []),
    ...(error && error[2] < row[COUNT] ? [`${error[2]} analysed`] : []),
    ...(error && error[1] !== null ? [`±${plain(error[1])}`] : []),
    ...toldOf('adjusted', row[ADJUSTED]), ...toldOf('result', row[RESULT]),
  ];
  return {
    kind,
    parts: [
      element('span', { className: `sign error ${kind}` }, sign || (kind === 'none' ? '✓' : '')),
      ...what,
      element('span', { className: 'count' }, String(row[COUNT]), unseen(' times, '), element('small', {}, percent(share))),
      element('span', { className: `loss error ${kind}` }, error ? unseen('mean error ') : '', error ? (error[0] ? `−${plain(error[0])}` : '.000') : ''),
      bar,
      element('small', { className: 'told' }, told.join('; ')),
    ],
  };
}

function playRow(roll, play, whole) {
  const name = play[NAME] && glyphs.has(play[NAME]) ? glyph(play[NAME]) : element('span', { className: 'glyph' }, play[NAME] || '–');
  const { kind, parts } = cells(play, whole, [name, element('span', { className: 'way' }, play[SAID] || 'no play')]);
  const link = element('a', { className: `made ${kind}`, href: linkTo(placeAfter(here, roll, play)) }, ...parts);
  link.dataset.roll = roll;
  link.dataset.said = play[SAID];
  return element('li', {}, link);
}

function rollRows(roll) {
  const { count, plays: made, nacbrac, book } = here.node.rolls[roll];
  const note = [`${counted(count, 'roll')}, ${percent(count / here.node.count)}`];
  if (nacbrac) note.push(`; the analyses say ${nacbrac}`);
  if (book) note.push(`; the book says ${book}`);
  const more = count - made.reduce((sum, play) => sum + play[COUNT], 0);
  return [
    element('h3', { className: 'rolled' }, `${roll} `, element('small', {}, ...note)),
    element('ul', { className: 'plays' }, ...made.map((play) => playRow(roll, play, count))),
    ...(more ? [element('p', {}, element('small', {}, `${counted(more, 'other play')} left out`))] : []),
  ];
}

function cubeRows() {
  const rows = here.node.cube;
  if (!rows.length) return [];
  const whole = (act) => rows.filter(([other]) => /double/.test(other) === /double/.test(act)).reduce((sum, row) => sum + row[COUNT], 0);
  const items = rows.map((row) => {
    const { kind, parts } = cells(row, whole(row[NAME]), [element('span', { className: 'way' }, row[NAME])]);
    return element('li', { className: `made ${kind}` }, ...parts);
  });
  return [element('h3', { className: 'rolled' }, 'The cube'), element('ul', { className: 'plays cubes' }, ...items)];
}

function showPlays() {
  const { node, roll } = here;
  panel.scrollTop = 0;
  find('answers').scrollTop = 0;
  if (!node) {
    panel.replaceChildren(element('p', { className: 'end' }, 'The tree of this page ends here.'));
    return;
  }
  const shown = roll ? [roll] : rollsOf(node);
  panel.replaceChildren(...(roll ? [] : cubeRows()), ...shown.flatMap(rollRows));
}

// The arrows of a play while it is pointed at.
function preview(link) {
  if (link) showBoard({ ...here.step, roll: link.dataset.roll }, link.dataset.said);
  else showBoard(here.step, '');
}

// What the reader does

const plays = () => [...panel.querySelectorAll('a.made')];
const parent = () => follow(here.roll ? here.tokens : here.tokens.slice(0, -1));
const choose = (roll) => go({ place: { ...here, roll: roll === here.roll ? '' : roll } });

function moveFocus(by) {
  const all = plays();
  const at = all.indexOf(document.activeElement);
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
  if (next) next.focus();
}

function enter() {
  const link = document.activeElement.closest('a.made') || plays()[0];
  if (link) link.click();
}

function flip() {
  flipped = !flipped;
  find('flip').setAttribute('aria-pressed', String(flipped));
  showBoard(here.step, '');
}

function back() {
  if (here !== root && (here.roll || here.tokens.length)) go(parent());
}

const KEYS = {
  ArrowDown: () => moveFocus(1),
  ArrowUp: () => moveFocus(-1),
  ArrowRight: enter,
  ArrowLeft: back,
  Home: () => go({ place: root }),
  f: flip,
  '/': () => find('sequence').focus(),
  '?': () => find('keys').showModal(),
  0: () => { if (here.roll) choose(here.roll); },
};

function onDigit(digit) {
  const roll = rollOf(typed + digit);
  typed = roll ? '' : digit;
  if (roll && here.node && playsOf(here.node, roll).length && roll !== here.roll) choose(roll);
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || find('keys').open) return;
  if (event.target.matches('input')) return;
  if (/^[1-6]$/.test(event.key)) onDigit(event.key);
  const key = KEYS[event.key];
  if (!key) return;
  event.preventDefault();
  key();
}

function onClick(event) {
  const link = event.target.closest('a[href^="#"]');
  const button = event.target.closest('[data-roll]');
  if (link) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in another tab
    event.preventDefault();
    const focused = link.matches('.made') && link === document.activeElement && link.matches(':focus-visible');
    go(follow(tokensOf(decodeURIComponent(link.hash.slice(1)))));
    if (focused && plays()[0]) plays()[0].focus();
  } else if (button) {
    const { roll } = button.dataset;
    choose(roll);
    find('rolls').querySelector(`[data-roll="${roll}"]`).focus();
  }
}

function onSearch(event) {
  event.preventDefault();
  const found = follow(behindRoot(find('sequence').value));
  if (found.wrong) {
    find('wrong').textContent = found.wrong;
    return;
  }
  go(found);
  find('sequence').value = '';
}

const pointed = ({ target }) => (target.closest ? target.closest('a.made') : null);

// A finger that is drawn to the right over the board takes a play back.
let touched = null;

function listen() {
  find('flip').addEventListener('click', flip);
  find('help').addEventListener('click', () => find('keys').showModal());
  find('search').addEventListener('submit', onSearch);
  find('sequence').addEventListener('input', () => { find('wrong').textContent = ''; });
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', onClick);
  panel.addEventListener('pointerover', (event) => { if (event.pointerType === 'mouse') preview(pointed(event)); });
  panel.addEventListener('pointerleave', () => preview(null));
  panel.addEventListener('focusin', (event) => preview(pointed(event)));
  panel.addEventListener('focusout', () => preview(null));
  find('board').addEventListener('pointerdown', (event) => { touched = event.pointerType === 'touch' ? [event.clientX, event.clientY] : null; });
  find('board').addEventListener('pointerup', (event) => {
    if (!touched) return;
    const [x, y] = [event.clientX - touched[0], event.clientY - touched[1]];
    touched = null;
    if (x > 40 && x > 2 * Math.abs(y)) back();
  });
  addEventListener('popstate', () => go(fromAddress(), 'none'));
  addEventListener('hashchange', () => { if (location.hash !== linkTo(here)) go(fromAddress(), 'none'); });
}

document.documentElement.classList.add('scripted');
startTheme();
listen();
go(fromAddress(), 'none');
