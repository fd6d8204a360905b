// The explorer: click from position to position by the plays that were made there.
//
// A place is where a sequence leads: its node, if the page has one, its board, and its last roll, if
// that is the only one to show.

import { address } from '../../web/kit/address.js';
import { Board } from '../../web/kit/board.js';
import { unpackedData } from '../../web/kit/data.js';
import { element, find, glyphOf, isCommand, labelled, listOf, onSwipe, paragraph, press, query, small, unseen } from '../../web/kit/dom.js';
import { parseXgid, played } from '../../web/kit/game.js';
import { startMenus } from '../../web/kit/menu.js';
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
/** The first digit of a roll. */
let typed = '';

/** A Nactation in its style; `otherwise` if the play has none. @type {(name: string, otherwise: Part) => Part} */
const glyphOr = (name, otherwise) => (Object.hasOwn(data.looks, name) ? glyphOf(data.looks[name]) : otherwise);
/** @type {(roll: string, play: Row) => string} */
const writtenAs = (roll, { name }) => roll + name;
const playsOf = (/** @type {TreeNode} */ node, /** @type {string} */ roll) => node.rolls[roll]?.plays || [];
const rollsOf = (/** @type {TreeNode} */ node) => ROLLS.filter((roll) => playsOf(node, roll).length);

/** The place after a play. @type {(place: Place, roll: string, play: Row) => Place} */
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

/** The tokens of a sequence as people write it: 31P-63R, 31P 36R, 31-point; without cube actions. @type {(text: string) => string[]} */
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
  const dice = /^([1-6])([1-6])/.exec(token);
  return dice ? dice.slice(1).sort().reverse().join('') : '';
}

/** @type {(play: Row, rest: string) => boolean} */
const means = ({ name }, rest) => name === rest
  || (data.spellings[name] || []).some((spelling) => spelling === rest || (spelling.length > 1 && spelling.toLowerCase() === rest.toLowerCase()));

const joined = (/** @type {string[]} */ words) => words.join(' ') || 'none';
/** @type {(place: Place) => string} */
const after = ({ tokens }) => (tokens.length ? `after ${[...data.before, ...tokens].join('-')}` : 'at the start');

/** The place that tokens lead to from the root, or the last before a wrong one. @type {(tokens: string[]) => Found} */
function follow(tokens) {
  let place = root;
  for (const [at, token] of tokens.entries()) {
    const roll = rollOf(token);
    const rest = token.slice(2);
    const last = at === tokens.length - 1;
    if (!roll && !/^(F|Fan|\^)$/i.test(token)) return { place, wrong: `“${token}” is not a roll with its play, such as 63R` };
    if (!place.node) return { place, wrong: `The tree ends ${after(place)}` };
    const { node } = place;
    if (!roll) {
      const [fan] = rollsOf(node).flatMap((thrown) => playsOf(node, thrown).filter(({ name }) => name === '^').map((play) => ({ thrown, play })));
      if (!fan) return { place, wrong: `No fan on record ${after(place)}` };
      place = placeAfter(place, fan.thrown, fan.play);
      continue;
    }
    const plays = playsOf(node, roll);
    if (!plays.length) return { place, wrong: `No ${roll} on record ${after(place)}; rolls on record: ${joined(rollsOf(node))}` };
    const play = plays.find((row) => means(row, rest)) || (!rest && !last && plays.length === 1 ? plays[0] : null);
    if (play) place = placeAfter(place, roll, play);
    else if (!rest && last) place = { ...place, roll };
    else return { place: { ...place, roll }, wrong: `${roll}${rest} is not in the tree ${after(place)}; plays on record: ${joined(plays.map((row) => writtenAs(roll, row)))}` };
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

// Showing a place

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
  find('crumbs').replaceChildren(...links.map(([target, parts], at) => {
    const link = element('a', { href: linkTo(target) }, ...parts);
    if (at === links.length - 1) link.setAttribute('aria-current', 'page');
    return element('li', {}, link);
  }));
}

/** The tokens of a sequence after those that lead to the root, if it has these. @type {(text: string) => string[]} */
function afterRoot(text) {
  const tokens = tokensOf(text);
  return data.before.every((token, at) => tokens[at] === token) ? tokens.slice(data.before.length) : tokens;
}

function showReached() {
  const { node } = here;
  const ways = node ? node.ways : [];
  const isStart = ways.length === 1 && !ways[0][0];
  const rest = node && node.more ? ` and ${node.more} more` : '';
  const parts = ways.map(([way, count]) => {
    const times = ways.length > 1 || rest ? ` (${count})` : '';
    const { place, wrong } = follow(afterRoot(way));
    const isLink = way && !wrong && place.node === node && !place.roll;
    return element('span', { className: 'at' }, isLink ? element('a', { href: linkTo(place) }, way) : way || 'the start', times);
  });
  const listed = parts.flatMap((part, at) => (at ? [', ', part] : [part]));
  find('reached').replaceChildren(...(parts.length ? [isStart ? 'The start of a game' : 'Reached by ', ...(isStart ? [] : [...listed, rest])] : []));
}

function showRolls() {
  const { node, roll, scene: { player, players } } = here;
  find('thrown').replaceChildren(
    node ? counted(node.count, 'roll') : 'Not on this page',
    small(`${players[player].slice(1, -1)} to roll`),
  );
  find('rolls').hidden = !node;
  find('rolls').replaceChildren(...(node ? ROLLS.map((thrown) => rollButton(node, thrown, thrown === roll)) : []));
}

/** @type {(node: TreeNode, roll: string, isChosen: boolean) => Element} */
function rollButton(node, roll, isChosen) {
  const { count = 0 } = node.rolls[roll] || {};
  const button = element('button', { type: 'button', disabled: !playsOf(node, roll).length }, roll, small(unseen('thrown '), String(count), unseen(count === 1 ? ' time' : ' times')));
  button.dataset.roll = roll;
  press(button, isChosen);
  return button;
}

/** The limit, the sign and the kind of an error. @type {(error: number) => [number, string, string]} */
const signOf = (error) => data.signs.find(([limit]) => error >= limit) || [0, '', 'none'];
const hundredths = (/** @type {number} */ thousandths) => (thousandths / 1000).toFixed(2);

const shareText = (/** @type {number} */ share) => (share < 0.005 ? '<1%' : `${Math.round(100 * share)}%`);

/** @type {(name: string, mean: Mean | null) => string[]} */
function meanWords(name, mean) {
  if (!mean) return [];
  const [value, within, count] = mean;
  return [`${name} ${value < 0 ? '−' : '+'}${hundredths(Math.abs(value))}${within === null ? '' : ` ±${hundredths(within)}`} in ${counted(count, 'game')}`];
}

/** The cells of a row: sign, play or action, count, loss, and below them the results. @type {(row: Row, whole: number, choice: Part[]) => {kind: string, parts: Part[]}} */
function cells({ count, error, adjusted, result, left }, whole, choice) {
  const [, sign, kind] = error ? signOf(error[0]) : [0, '', 'unknown'];
  const share = count / whole;
  const bar = element('span', { className: 'bar' }, element('span', {}));
  bar.firstChild.style.width = `${100 * share}%`;
  bar.setAttribute('aria-hidden', 'true');
  const notes = [
    ...(left ? ['≠ leaves the book'] : []),
    ...(error && error[2] < count ? [`${error[2]} analysed`] : []),
    ...(error && error[1] !== null ? [`±${points(error[1])}`] : []),
    ...meanWords('adjusted', adjusted), ...meanWords('result', result),
  ];
  return {
    kind,
    parts: [
      element('span', { className: `sign error ${kind}` }, sign || (kind === 'none' ? '✓' : '')),
      ...choice,
      element('span', { className: 'count' }, String(count), unseen(' times, '), small(shareText(share))),
      element('span', { className: `loss error ${kind}` }, error ? unseen('mean error ') : '', error ? (error[0] ? `−${points(error[0])}` : '.000') : ''),
      bar,
      element('small', { className: 'told' }, notes.join('; ')),
    ],
  };
}

function playRow(/** @type {string} */ roll, /** @type {Row} */ play, /** @type {number} */ whole) {
  const name = glyphOr(play.name, element('span', { className: 'glyph' }, play.name || '–'));
  const { kind, parts } = cells(play, whole, labelled(name, play.said || 'no play'));
  const link = element('a', { className: `made ${kind}`, href: linkTo(placeAfter(here, roll, play)) }, ...parts);
  link.dataset.roll = roll;
  link.dataset.said = play.said;
  return [link];
}

function rollRows(/** @type {TreeNode} */ node, /** @type {string} */ roll) {
  const { count, plays, nacbrac, book } = node.rolls[roll];
  const notes = [`${counted(count, 'roll')}, ${shareText(count / node.count)}`];
  if (nacbrac) notes.push(`best: ${nacbrac.slice(1, -1)}`);
  if (book) notes.push(`book: ${book.replace(/^\[(.*)\]$/, '$1')}`);
  const more = count - plays.reduce((sum, play) => sum + play.count, 0);
  return [
    element('h3', { className: 'rolled' }, `${roll} `, small(notes.join('; '))),
    listOf('ul', 'plays', plays.map((play) => playRow(roll, play, count))),
    ...(more ? [paragraph(small(`${counted(more, 'other play')} not shown`))] : []),
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
    panel.replaceChildren(element('p', { className: 'end' }, 'The tree ends here.'));
    return;
  }
  const rolls = roll ? [roll] : rollsOf(node);
  panel.replaceChildren(...(roll ? [] : cubeRows(node)), ...rolls.flatMap((thrown) => rollRows(node, thrown)));
}

/** Show the arrows of a play; none for null. @type {(link: HTMLElement | null) => void} */
function preview(link) {
  const { roll = '', said = '' } = link ? link.dataset : {};
  board.show({ ...here.scene, roll }, said);
}

// Keys, mouse and finger

const links = () => [...panel.querySelectorAll('a.made')];
const placeBefore = () => follow(here.roll ? here.tokens : here.tokens.slice(0, -1));
/** @type {(roll: string) => void} */
const choose = (roll) => go({ place: { ...here, roll: roll === here.roll ? '' : roll } });

function moveFocus(/** @type {number} */ by) {
  const all = links();
  const at = all.indexOf(document.activeElement);
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
  if (next) next.focus();
}

function enter() {
  const link = document.activeElement?.closest('a.made') || links()[0];
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
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const focused = link.matches('.made') && link === document.activeElement && link.matches(':focus-visible');
    go(follow(tokensOf(decodeURIComponent(link.hash.slice(1)))));
    if (focused && links()[0]) links()[0].focus();
  } else if (button) {
    const { roll } = button.dataset;
    choose(roll);
    find('rolls').querySelector(`[data-roll="${roll}"]`).focus();
  }
}

function onSearch(/** @type {Event} */ event) {
  event.preventDefault();
  const target = follow(afterRoot(find('sequence').value));
  find('wrong').textContent = target.wrong || '';
  if (target.wrong) return;
  go(target);
  find('sequence').value = '';
}

/** @type {(event: any) => HTMLElement | null} */
const pointed = ({ target }) => (target.closest ? target.closest('a.made') : null);

document.documentElement.classList.add('scripted');
startTheme();
startMenus();
find('flip').addEventListener('click', flip);
find('help').addEventListener('click', () => {
  find('tools').open = false;
  find('keys').showModal();
});
find('search').addEventListener('submit', onSearch);
find('sequence').addEventListener('input', () => { find('wrong').textContent = ''; });
document.addEventListener('keydown', onKey);
document.addEventListener('click', onClick);
panel.addEventListener('pointerover', (/** @type {PointerEvent} */ event) => { if (event.pointerType === 'mouse') preview(pointed(event)); });
panel.addEventListener('pointerleave', () => preview(null));
panel.addEventListener('focusin', (/** @type {Event} */ event) => preview(pointed(event)));
panel.addEventListener('focusout', () => preview(null));
onSwipe(find('board'), (way) => { if (way > 0) back(); });
addEventListener('popstate', () => go(fromAddress(), 'none'));
addEventListener('hashchange', () => { if (location.hash !== linkTo(here)) go(fromAddress(), 'none'); });
go(fromAddress(), 'none');
