// The card of a finding: its board with its turns, and what can be done with it.

import { Board } from '../../web/kit/board.js';
import { copyText, download } from '../../web/kit/copying.js';
import { element, glyphOf, press, small } from '../../web/kit/dom.js';
import { parseXgid, standing } from '../../web/kit/game.js';
import { boardWords, chancesText, points } from '../../web/kit/words.js';
import { askBackground, askPython } from './asking.js';
import { knownOptions } from './choices.js';

/** What the build puts before this script. @typedef {{places: Places, paint: string, board: string, style: string, targets: string[]}} CardData */
/** @typedef {{closed: () => void, goTo: (at: number, takesFocus?: boolean) => void}} Owner */

const MARGIN = 8; // pixels to the edge of the window
const PLIES = 2;
const NAMES = ['\u2068White\u2069', '\u2068Black\u2069'];

const svgOf = (/** @type {string} */ text) => document.importNode(new DOMParser().parseFromString(text.includes('xmlns=') ? text : text.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"'), 'image/svg+xml').documentElement, true);

/** @type {(does: () => unknown, ...children: Part[]) => HTMLButtonElement} */
function actionButton(does, ...children) {
  const made = element('button', { type: 'button' }, ...children);
  made.addEventListener('click', does);
  return made;
}

/** How large each part of a colour is at most, by its function. @type {Record<string, number>} */
const SCALES = { rgb: 255, rgba: 255, lab: 100, lch: 100 };

/** How light a computed colour is, from 0 to 1; null if it is hardly seen. @type {(color: string) => number | null} */
function lightness(color) {
  const [name, parts = ''] = color.split('(');
  const [first = 0, green, blue, alpha = 1] = (parts.match(/(?:^|(?<=[ ,]))(?:none|-?[\d.]+)/g) || ['0', '0', '0', '0']).map((part) => Number(part) || 0);
  if (alpha <= 0.5) return null;
  return (/^rgb|^color/.test(name) ? 0.3 * first + 0.6 * green + 0.1 * blue : first) / (SCALES[name] || 1);
}

/** Whether the page behind is dark. */
function isPageDark() {
  for (const part of [document.body, document.documentElement]) {
    const light = part && lightness(getComputedStyle(part).backgroundColor);
    if (light !== null) return light < 0.43;
  }
  const { colorScheme } = getComputedStyle(document.documentElement);
  return colorScheme.includes('dark') && (!colorScheme.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches);
}

const sayings = ['White', 'Black'];

/** What happens on a board. @type {(turn: Answer) => Part[]} */
function caption({ player, roll, said, look, cube, token, reading, offered, word }) {
  const name = sayings[player];
  if (cube) return [`${name}: ${reading}`];
  if (said) return [`${name} plays ${roll} `, ...(look ? [glyphOf(look), ' '] : []), said, ...(word ? [small(` ${word}`)] : [])];
  if (token && reading && reading !== 'to be played') return [`${name}: ${token}, ${reading}`];
  if (offered) return [`${sayings[1 - player]} doubles: ${name} to take or drop`];
  return [roll ? `${name} to play ${roll}` : `${name} to roll`];
}

/** Score and cube of a board in words. @type {(turn: Answer) => string} */
function scoreWords({ xgid, player, roll }) {
  const { length, score, cube, owner, crawford } = standing({ board: parseXgid(xgid.replace('XGID=', '')), player, roll, players: NAMES });
  const match = length ? `${score[0]}–${score[1]} in a match to ${length}${crawford ? ', Crawford' : ''}` : 'Money game';
  return `${match}; cube ${cube}${owner === null ? '' : ` with ${sayings[owner]}`}`;
}

/** The card of a page, in a tree that the page cannot reach. */
export class Card {
  /** @param {CardData} data @param {Owner} owner */
  constructor(data, owner) {
    this.data = data;
    this.owner = owner;
    this.host = document.createElement('nactation-card');
    this.host.style.cssText = 'all: initial !important; direction: ltr !important; position: absolute !important; top: 0 !important; left: 0 !important; width: 0 !important; height: 0 !important; z-index: 2147483647 !important;';
    const root = this.host.attachShadow({ mode: 'closed' });
    const style = element('style', { textContent: data.style }); // which Firefox lets in under any policy of the page
    this.root = root;
    this.titles = element('nav', { className: 'list', ariaLabel: 'Backgammon on this page' });
    this.box = element('section', { className: 'card', ariaLabel: 'Board' });
    this.box.setAttribute('role', 'dialog');
    this.box.setAttribute('popover', 'manual');
    this.box.tabIndex = -1;
    const svg = svgOf(data.board);
    this.board = new Board(svg, data.places);
    this.standing = element('p', { className: 'unseen', id: 'standing' });
    this.picture = element('div', { className: 'board' }, svg, this.standing);
    root.append(style, svgOf(data.paint), this.titles, this.box);
    this.isOpen = false;
    this.isPinned = false;
    this.at = -1;
    this.step = 0;
    /** @type {Answer[]} */
    this.turns = [];
    /** @type {Finding | null} */
    this.finding = null;
    /** What had the focus before the card. @type {any} */
    this.before = null;
    /** @type {HTMLButtonElement[]} */
    this.rows = [];
    this.doing = element('p', { id: 'doing', className: 'doing', ariaLive: 'polite' });
    this.score = element('p', { className: 'score' });
    this.said = element('p', { className: 'said', ariaLive: 'polite' });
    this.result = element('div', { className: 'result' });
    for (const kind of ['keydown', 'keypress', 'keyup']) this.box.addEventListener(kind, (/** @type {any} */ event) => this.press(event));
    new ResizeObserver(() => this.fit()).observe(this.box);
    addEventListener('resize', () => this.fit());
  }

  /** Offer the findings to who has no pointer. @param {string[]} texts */
  list(texts) {
    if (!texts.length) {
      this.close();
      this.host.remove();
      return;
    }
    if (!this.host.isConnected) document.documentElement.append(this.host);
    const { children } = this.titles; // one of them may have the focus
    while (children.length > texts.length) children[texts.length].remove();
    for (const [at, text] of texts.entries()) {
      if (at === children.length) this.titles.append(actionButton(() => this.owner.goTo(at)));
      const name = `Board of ${text}`;
      if (children[at].textContent !== name) children[at].textContent = name;
    }
  }

  /** Show the card of a finding at a box of the page, in a modal dialog if the page has it there: all else is out of reach. @param {Finding} finding @param {DOMRect} box @param {number} at @param {Element | null} dialog */
  async open(finding, box, at, dialog) {
    const options = await knownOptions();
    const home = dialog || document.documentElement;
    if (this.host.parentNode !== home) home.append(this.host);
    if (this.isOpen && this.finding !== finding) this.isPinned = false;
    this.at = at;
    this.finding = finding;
    const dark = options.theme === 'page' ? isPageDark() : options.theme === 'dark';
    this.host.dataset.theme = dark ? 'dark' : 'light';
    this.host.dataset.board = 'green';
    this.board.isFlipped = options.bottom === 'black';
    this.turns = finding.turns.length ? finding.turns : finding.state ? [finding.state] : [];
    const isRanked = ['nacbrac', 'analysis'].includes(finding.kind);
    this.step = isRanked ? 0 : Math.max(0, this.turns.length - 1);
    this.fill(options);
    this.isOpen = true;
    if (!this.box.matches(':popover-open')) this.box.showPopover();
    this.box.style.zoom = String(1 / (/** @type {any} */ (this.host).currentCSSZoom || 1)); // that of the page
    this.place(box);
  }

  /** @param {Options} options */
  fill(options) {
    const finding = /** @type {Finding} */ (this.finding);
    const note = (finding.note || '').replace(/ of line \d+/g, '');
    this.result.replaceChildren();
    this.say('');
    this.rows = finding.turns.length > 1 ? finding.turns.map((turn, at) => this.row(turn, at, options)) : [];
    const walk = [actionButton(() => this.walk(-1), '‹'), actionButton(() => this.walk(1), '›')];
    walk[0].ariaLabel = 'Previous turn';
    walk[1].ariaLabel = 'Next turn';
    const close = actionButton(() => this.close(), '×');
    close.ariaLabel = 'Close';
    close.className = 'close';
    const isWrong = note.startsWith('wrong');
    this.box.replaceChildren(
      element('header', {}, element('b', {}, finding.text.length > 60 ? `${finding.text.slice(0, 60)}…` : finding.text), small(`${finding.kind}${finding.sure === 'sure' ? '' : `, ${finding.sure}`}`), close),
      ...(note ? [element('p', { className: isWrong ? 'trouble' : finding.kind === 'claim' ? 'right' : 'note' }, note)] : []),
      ...(this.turns.length ? [this.picture, element('div', { className: 'bar' }, ...(this.turns.length > 1 ? walk : []), this.doing), this.score] : []),
      ...(this.rows.length ? [element('ol', { className: 'turns' }, ...this.rows.map((row) => element('li', {}, row)))] : []),
      this.result,
      ...(this.turns.length ? [this.actions(options)] : []),
      this.said,
    );
    if (this.turns.length) this.draw();
  }

  /** @param {Answer} turn @param {number} at @param {Options} options */
  row({ player, token, roll, look, said, reading, error }, at, options) {
    const loss = error ? element('span', { className: 'loss' }, `−${points(1000 * error)}`) : '';
    const shown = options.plays || !look ? element('span', {}, said || reading || '') : '';
    return actionButton(() => this.choose(at), element('span', { className: `side-${player}` }), element('b', {}, roll || token || ''), look ? glyphOf(look) : '', shown, loss);
  }

  /** @param {Options} options */
  actions(options) {
    const finding = /** @type {Finding} */ (this.finding);
    const link = finding.link || this.turn.xgid;
    const target = element('select', { ariaLabel: 'Forum' }, ...this.data.targets.map((name) => element('option', {}, name)));
    target.value = 'reddit';
    const best = options.engine ? [this.trying(() => this.judge(link), 'Best plays')] : [];
    const open = this.trying(() => askBackground('open', [link]), 'Open on the Board');
    open.className = 'primary';
    return element('div', { className: 'actions' }, open, ...best,
      this.trying(() => this.copy(this.turn.xgid, 'XGID'), 'Copy XGID'),
      this.trying(() => this.copyPicture(), 'Copy picture'),
      element('span', { className: 'together' }, this.trying(async () => this.copy(await askPython('as_post', [link, target.value]), `Post for ${target.value}`), 'Copy post'), target));
  }

  get turn() {
    return this.turns[this.step];
  }

  draw() {
    const { xgid, player, roll, doubles = 0, said = '' } = this.turn;
    const scene = { board: parseXgid(xgid.replace('XGID=', '')), player, roll, doubles, players: NAMES };
    this.board.show(scene, said);
    this.standing.textContent = boardWords(scene);
    this.doing.replaceChildren(...caption(this.turn));
    this.score.textContent = scoreWords(this.turn);
    for (const [at, row] of this.rows.entries()) press(row, at === this.step);
  }

  /** @param {number} step */
  choose(step) {
    this.step = Math.max(0, Math.min(step, this.turns.length - 1));
    this.result.replaceChildren();
    this.draw();
    this.pin(false);
  }

  /** @param {number} by */
  walk(by) {
    this.choose(this.step + by);
  }

  /** Ask the engine for the best plays of the turn. @param {string} link */
  async judge(link) {
    const { step } = this;
    const finding = this.finding;
    this.result.replaceChildren(small('Thinking…'));
    const isSequence = ['sequence', 'play'].includes(finding?.kind || '');
    const value = await askPython('equities', [isSequence ? link : this.turn.xgid, isSequence && finding?.turns.length ? step : 0, PLIES]);
    if (finding !== this.finding || step !== this.step) return;
    const rows = value.plays
      ? value.plays.slice(0, 5).map((/** @type {RatedPlay} */ play) => [play.said, play.equity, play.loss, chancesText(play.chances)])
      : (value.actions || []).map((/** @type {string[]} */ [action, equity, loss]) => [action, equity, loss, '']);
    this.result.replaceChildren(small(`${value.level}`), element('table', {}, ...rows.map((/** @type {string[]} */ [said, equity, loss, chances]) => {
      const row = element('tr', {}, element('td', {}, said), element('td', {}, equity), element('td', { className: 'loss' }, loss));
      row.title = chances;
      return row;
    })));
  }

  /** @param {string} text @param {string} name */
  async copy(text, name) {
    if (await copyText(text) || this.copyByHand(text)) this.say(`${name} copied`);
    else this.say(text);
  }

  /** Copy on pages without encryption, which have no clipboard. @param {string} text */
  copyByHand(text) {
    const field = element('textarea', { value: text, className: 'unseen' });
    this.box.append(field);
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    return isCopied;
  }

  async copyPicture() {
    const { xgid, roll, said, cube } = this.turn;
    const picture = askPython('board_image', [xgid, cube ? '' : roll, said || '', this.host.dataset.theme, Number(this.board.isFlipped)])
      .then((address) => new Blob([Uint8Array.from(atob(address.split(',')[1]), (character) => character.charCodeAt(0))], { type: 'image/png' }));
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]); // at once: a click allows it for seconds only
      this.say('Picture copied');
    } catch {
      download('nactation.png', await picture);
      this.say('Picture saved');
    }
  }

  /** A button that reports its errors. @param {() => Promise<unknown>} does @param {string} name @returns {HTMLButtonElement} */
  trying(does, name) {
    return actionButton(async () => {
      this.pin(false);
      try {
        await does();
      } catch (error) {
        this.result.replaceChildren();
        this.say(error.message);
      }
    }, name);
  }

  /** @param {string} text */
  say(text) {
    this.said.textContent = text;
  }

  /** Put the card below a box of the page, or above it. @param {DOMRect} at */
  place({ left, top, bottom }) {
    const { innerHeight: height } = window;
    const { height: tall } = this.box.getBoundingClientRect();
    const above = top - MARGIN - tall;
    this.put(left, bottom + 2 * MARGIN + tall > height && above >= MARGIN ? above : bottom + MARGIN);
  }

  /** Keep the card inside the window when either changes its size. */
  fit() {
    if (!this.isOpen) return;
    const { left, top } = this.box.getBoundingClientRect();
    this.put(left, top);
  }

  /** Put the card at a place, or as near as it is inside the window. @param {number} left @param {number} top */
  put(left, top) {
    const { innerWidth, innerHeight } = window;
    const { width, height } = this.box.getBoundingClientRect();
    this.box.style.left = `${Math.max(MARGIN, Math.min(left, Math.min(document.documentElement.clientWidth, innerWidth) - width - MARGIN))}px`;
    this.box.style.top = `${Math.max(MARGIN, Math.min(top, innerHeight - height - MARGIN))}px`;
  }

  /** Keep the card open when the pointer leaves. */
  pin(takesFocus = true) {
    this.isPinned = true;
    if (takesFocus) {
      this.before ??= document.activeElement === this.host ? this.root.activeElement : document.activeElement;
      setTimeout(() => { if (this.isOpen) this.box.focus({ preventScroll: true }); }, 0);
    }
  }

  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.isPinned = false;
    const isWithin = document.activeElement === this.host;
    if (this.box.matches(':popover-open')) this.box.hidePopover();
    if (isWithin) this.before?.focus?.({ preventScroll: true });
    this.before = null;
    this.owner.closed();
  }

  /** Heed a key, of which the page must not hear: it may be one of its shortcuts. @param {KeyboardEvent} event */
  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    event.stopPropagation();
    if (event.type !== 'keydown' || /** @type {any} */ (event.target).matches('select')) return;
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (by && this.turns.length > 1) {
      event.preventDefault();
      this.walk(by);
    }
    if (event.key === 'Escape') this.close();
  }
}
