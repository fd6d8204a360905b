// The explorer: from position to position by the plays that were made there.
//
// A place is where a sequence leads: its node, if the page has one, the board, and the roll that
// is looked at alone, if the sequence ends with one.

import { address } from '../../web/kit/address.js';
import { Board } from '../../web/kit/board.js';
import { unpackedData } from '../../web/kit/data.js';
import { element, find, glyphOf, isCommand, onSwipe, paragraph, press, query, small, unseen } from '../../web/kit/dom.js';
import { parseXgid, played } from '../../web/kit/game.js';
import { startTheme } from '../../web/kit/theme.js';
import { boardWords, counted, points } from '../../web/kit/words.js';

const ROLLS = [6, 5, 4, 3, 2, 1].flatMap((high) => Array.from({ length: high }, (_, at) => `${high}${high - at}`));
const panel = find('panel');
/** @type {Tree} */
const data = await unpackedData();
const board = new Board(query('#board svg'), data.board);

/** @type {Place} */
const root = {
  tokens: [], node: data.nodes[0], roll: '',
  scene: { player: data.player, roll: '', players: data.players, board: parseXgid(data.xgid) },
};
let here = root;
let typed = ''; // the first digit of a roll

/** A play with its character, if it has one. @type {(name: string, otherwise: Part) => Part} */
const glyphOr = (name, otherwise) => (Object.hasOwn(data.looks, name) ? glyphOf(data.looks[name]) : otherwise);
/** @type {(roll: string, play: Row) => string} */
const writtenAs = (roll, { name }) => roll + name;
const playsOf = (/** @type {TreeNode} */ node, /** @type {string} */ roll) => node.rolls[roll]?.plays || [];
const rollsOf = (/** @type {TreeNode} */ node) => ROLLS.filter((roll) => playsOf(node, roll).length);

/** The place that a play of this one leads to. @type {(place: Place, roll: string, play: Row) => Place} */
function placeAfter({ tokens, scene }, roll, play) {
  const { board: { sides, fields }, player } = scene;
  const reached = play.said ? played(sides, player, play.said) : sides;
  return {
    tokens: [...tokens, writtenAs(roll, play)],
    node: data.nodes[play.next ?? -1] || null,
    roll: '',
    scene: { ...scene, player: 1 - player, board: { sides: reached, fields } },
  };
}

/** A sequence as people write it: 31P-63R, 31P 36R, 31-point; a take goes without saying. @type {(text: string) => string[]} */
function tokensOf(text) {
  /** @type {string[]} */
  const tokens = [];
  for (const part of text.split(/[\s,;-]+/).filter(Boolean)) {
    const bare = tokens.length && /^\d\d$/.test(tokens[tokens.length - 1]);
    if (bare && !/^[1-6][1-6]/.test(part)) tokens[tokens.length - 1] += part;
    else if (!/^[CRT]$/.test(part)) tokens.push(part);
  }
  return tokens;
}

function rollOf(/** @type {string} */ token) {
  const found = /^([1-6])([1-6])/.exec(token);
  return found ? [...found.slice(1)].sort().reverse().join('') : '';
}

/** @type {(play: Row, rest: string) => boolean} */
const means = ({ name }, rest) => name === rest
  || (data.spellings[name] || []).some((one) => one === rest || (one.length > 1 && one.toLowerCase() === rest.toLowerCase()));

const joined = (/** @type {string[]} */ words) => (words.length ? words.join(' ') : 'nothing');
/** @type {(place: Place) => string} */
const after = ({ tokens }) => (tokens.length ? `after ${[...data.before, ...tokens].join('-')}` : 'where the page begins');

/** Where tokens lead from the root; what is wrong with the first that leads nowhere. @type {(tokens: string[]) => Found} */
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
      const [fan] = rollsOf(node).flatMap((one) => playsOf(node, one).filter(({ name }) => name === '^').map((play) => ({ one, play })));
      if (!fan) return { place, wrong: `Nobody fanned ${after(place)}` };
      place = placeAfter(place, fan.one, fan.play);
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

/** @type {(place: Place) => string} */
const tokensTo = ({ tokens, roll }) => [...tokens, roll].filter(Boolean).join('-');
const escaped = (/** @type {string} */ text) => encodeURI(text).replaceAll('#', '%23');
const linkTo = (/** @type {Place} */ place) => `#${escaped(tokensTo(place))}`;

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

/** @type {(found: Found, way?: Way) => void} */
function go({ place, wrong = '' }, way = 'jump') {
  here = place;
  typed = '';
  address(escaped(tokensTo(place)), way);
  find('wrong').textContent = wrong;
  board.show(place.scene);
  find('standing').textContent = boardWords(place.scene);
  showWay();
  showReached();
  showRolls();
  showPlays();
  document.title = `${[...data.before, tokensTo(place)].filter(Boolean).join('-') || data.title} – Nactation`;
}

/** @type {(token: string) => Part[]} */
const tokenShown = (token) => [token.slice(0, 2), glyphOr(token.slice(2), token.slice(2))];

function showWay() {
  let place = root;
  /** @type {[Place, Part[]][]} */
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

/** The tokens of a sequence behind those that lead to the root; all of them, if they do not. @type {(text: string) => string[]} */
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
  /** @type {Part[]} */
  const listed = parts.flatMap((part, at) => (at ? [', ', part] : [part]));
  find('reached').replaceChildren(...(parts.length ? ['Reached by ', ...listed, rest] : []));
}

function showRolls() {
  const { node, roll, scene: { player, players } } = here;
  find('thrown').replaceChildren(
    node ? counted(node.count, 'roll') : 'Not in this page',
    small(`${players[player].slice(1, -1)} to roll`),
  );
  find('rolls').hidden = !node;
  find('rolls').replaceChildren(...(node ? ROLLS.map((one) => rollButton(node, one, one === roll)) : []));
}

/** @type {(node: TreeNode, roll: string, isChosen: boolean) => Element} */
function rollButton(node, roll, isChosen) {
  const { count = 0 } = node.rolls[roll] || {};
  const button = element('button', { type: 'button', disabled: !playsOf(node, roll).length }, roll, small(unseen('thrown '), String(count), unseen(count === 1 ? ' time' : ' times')));
  button.dataset.roll = roll;
  press(button, isChosen);
  return button;
}

/** The sign and the name of an error of so many thousandths. @type {(error: number) => [number, string, string]} */
const signOf = (error) => data.signs.find(([limit]) => error >= limit) || [0, '', 'none'];
const plain = (/** @type {number} */ thousandths) => points(thousandths).replace(/^0/, '');
/** @type {(far: number | null, digits: (number: number) => string) => string} */
const within = (far, digits) => (far === null ? '' : ` ±${digits(far)}`);
const hundredths = (/** @type {number} */ thousandths) => (thousandths / 1000).toFixed(2);
/** @type {(thousandths: number) => string} */
const signedly = (thousandths) => `${thousandths < 0 ? '−' : '+'}${hundredths(Math.abs(thousandths))}`;

const percent = (/** @type {number} */ share) => (share < 0.005 ? '<1%' : `${Math.round(100 * share)}%`);

/** @type {(name: string, mean: Mean | null) => string[]} */
const meanWords = (name, mean) => (mean ? [`${name} ${signedly(mean[0])}${within(mean[1], hundredths)} of ${mean[2]}`] : []);

/** The cells of a row: sign, what was done, how often, what it lost, and below what it brought. @type {(row: Row, whole: number, what: Part[]) => {kind: string, parts: Part[]}} */
function cells({ count, error, adjusted, result, left }, whole, what) {
  const [, sign, kind] = error ? signOf(error[0]) : [0, '', 'unknown'];
  const share = count / whole;
  const bar = element('span', { className: 'bar' }, element('span', {}));
  bar.firstChild.style.width = `${100 * share}%`;
  bar.setAttribute('aria-hidden', 'true');
  const told = [
    ...(left ? ['≠ leaves the book'] : []),
    ...(error && error[2] < count ? [`${error[2]} analysed`] : []),
    ...(error && error[1] !== null ? [`±${plain(error[1])}`] : []),
    ...meanWords('adjusted', adjusted), ...meanWords('result', result),
  ];
  return {
    kind,
    parts: [
      element('span', { className: `sign error ${kind}` }, sign || (kind === 'none' ? '✓' : '')),
      ...what,
      element('span', { className: 'count' }, String(count), unseen(' times, '), small(percent(share))),
      element('span', { className: `loss error ${kind}` }, error ? unseen('mean error ') : '', error ? (error[0] ? `−${plain(error[0])}` : '.000') : ''),
      bar,
      element('small', { className: 'told' }, told.join('; ')),
    ],
  };
}

function playRow(/** @type {string} */ roll, /** @type {Row} */ play, /** @type {number} */ whole) {
  const name = glyphOr(play.name, element('span', { className: 'glyph' }, play.name || '–'));
  const { kind, parts } = cells(play, whole, [name, element('span', { className: 'way' }, play.said || 'no play')]);
  const link = element('a', { className: `made ${kind}`, href: linkTo(placeAfter(here, roll, play)) }, ...parts);
  link.dataset.roll = roll;
  link.dataset.said = play.said;
  return element('li', {}, link);
}

function rollRows(/** @type {TreeNode} */ node, /** @type {string} */ roll) {
  const { count, plays: made, nacbrac, book } = node.rolls[roll];
  const note = [`${counted(count, 'roll')}, ${percent(count / node.count)}`];
  if (nacbrac) note.push(`; the analyses say ${nacbrac}`);
  if (book) note.push(`; the book says ${book}`);
  const more = count - made.reduce((sum, play) => sum + play.count, 0);
  return [
    element('h3', { className: 'rolled' }, `${roll} `, small(...note)),
    element('ul', { className: 'plays' }, ...made.map((play) => playRow(roll, play, count))),
    ...(more ? [paragraph(small(`${counted(more, 'other play')} left out`))] : []),
  ];
}

/** @type {(node: TreeNode) => Element[]} */
function cubeRows({ cube: rows }) {
  if (!rows.length) return [];
  /** @type {(act: string) => number} */
  const whole = (act) => rows.filter(({ name }) => /double/.test(name) === /double/.test(act)).reduce((sum, { count }) => sum + count, 0);
  const items = rows.map((row) => {
    const { kind, parts } = cells(row, whole(row.name), [element('span', { className: 'way' }, row.name)]);
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
  panel.replaceChildren(...(roll ? [] : cubeRows(node)), ...shown.flatMap((one) => rollRows(node, one)));
}

/** The arrows of a play while it is pointed at. @type {(link: HTMLElement | null) => void} */
function preview(link) {
  const { roll = '', said = '' } = link ? link.dataset : {};
  board.show({ ...here.scene, roll }, said);
}

// What the reader does

const plays = () => [...panel.querySelectorAll('a.made')];
const placeBefore = () => follow(here.roll ? here.tokens : here.tokens.slice(0, -1));
/** @type {(roll: string) => void} */
const choose = (roll) => go({ place: { ...here, roll: roll === here.roll ? '' : roll } });

function moveFocus(/** @type {number} */ by) {
  const all = plays();
  const at = all.indexOf(document.activeElement);
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
  if (next) next.focus();
}

function enter() {
  const link = document.activeElement?.closest('a.made') || plays()[0];
  if (link) link.click();
}

function flip() {
  board.isFlipped = !board.isFlipped;
  press(find('flip'), board.isFlipped);
  preview(null);
}

function back() {
  if (here !== root && (here.roll || here.tokens.length)) go(placeBefore());
}

/** @type {Record<string, () => void>} */
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

function onDigit(/** @type {string} */ digit) {
  const roll = rollOf(typed + digit);
  typed = roll ? '' : digit;
  if (roll && here.node && playsOf(here.node, roll).length && roll !== here.roll) choose(roll);
}

function onKey(/** @type {any} */ event) {
  if (isCommand(event) || find('keys').open) return;
  if (event.target.matches('input')) return;
  if (/^[1-6]$/.test(event.key)) onDigit(event.key);
  const key = KEYS[event.key];
  if (!key) return;
  event.preventDefault();
  key();
}

function onClick(/** @type {any} */ event) {
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

function onSearch(/** @type {Event} */ event) {
  event.preventDefault();
  const found = follow(behindRoot(find('sequence').value));
  if (found.wrong) {
    find('wrong').textContent = found.wrong;
    return;
  }
  go(found);
  find('sequence').value = '';
}

/** @type {(event: any) => HTMLElement | null} */
const pointed = ({ target }) => (target.closest ? target.closest('a.made') : null);

document.documentElement.classList.add('scripted');
startTheme();
find('flip').addEventListener('click', flip);
find('help').addEventListener('click', () => find('keys').showModal());
find('search').addEventListener('submit', onSearch);
find('sequence').addEventListener('input', () => { find('wrong').textContent = ''; });
document.addEventListener('keydown', onKey);
document.addEventListener('click', onClick);
panel.addEventListener('pointerover', (/** @type {PointerEvent} */ event) => { if (event.pointerType === 'mouse') preview(pointed(event)); });
panel.addEventListener('pointerleave', () => preview(null));
panel.addEventListener('focusin', (/** @type {Event} */ event) => preview(pointed(event)));
panel.addEventListener('focusout', () => preview(null));
onSwipe(find('board'), (way) => { if (way > 0) back(); }); // a finger takes a play back
addEventListener('popstate', () => go(fromAddress(), 'none'));
addEventListener('hashchange', () => { if (location.hash !== linkTo(here)) go(fromAddress(), 'none'); });
go(fromAddress(), 'none');
