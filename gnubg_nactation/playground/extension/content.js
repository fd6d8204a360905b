// Reads this page: collects its text, lets Python read it, and marks what it finds.

import { askBackground, askPython } from './asking.js';
import { Card } from './card.js';
import { collect, elementOf, fits, isCandidate, isWithinSkipped, placeIn, placesOf, rangeOf, restOf, slicesOf } from './collect.js';

/** @typedef {import('./collect.js').Slice} Slice */
/** What is marked. @typedef {{finding: Finding, range: Range, nodes: Text[]}} Mark */

const AUTOMATIC = 3; // slices that are read without being asked
const PAUSE = 300; // milliseconds after a change of the page
const MAX_PAUSE = 5000; // milliseconds after which Python reads a page that never rests
const PATIENCE = 60000; // milliseconds, about, after which web components are not waited for
const OPENS = 150; // milliseconds that the pointer rests on a mark
const CLOSES = 350;
const MAX_ANSWERS = 50;
const LEAST_SURE = 2; // sure findings of a page about backgammon

const CLICKED = 'a, button, summary, label, [role="button"], [role="link"]'; // what does something of its own

/** @type {any} */
const world = globalThis;

/** Marks the findings of the page, and shows their cards. */
class PageReader {
  constructor() {
    /** @type {Mark[]} */
    this.marks = [];
    /** Marks by the elements that hold their text. @type {Map<Element, Mark[]>} */
    this.places = new Map();
    /** @type {Map<string, any>} */
    this.answers = new Map();
    this.limit = AUTOMATIC;
    this.left = 0;
    this.problem = '';
    this.running = false;
    this.again = false;
    this.pause = PAUSE;
    this.timer = 0;
    this.hover = 0;
    this.closing = 0;
    /** @type {Mark | null} */
    this.current = null;
    this.card = new Card(world.nactationCard, this);
    this.observer = new MutationObserver((records) => this.notice(records));
    this.closes = false; // whether Escape, still held down, has closed the card
    this.opened = 0; // when the last card was opened
    /** @type {Map<string, Highlight>} */
    this.shown = new Map();
    this.awaiting = 0;
    for (const dead of document.querySelectorAll('nactation-card')) dead.remove(); // of the extension before its update
    this.observe(document);
    this.read();
  }

  /** Listen to the page; again after `document.open`, which forgets all listeners. */
  listen() {
    document.addEventListener('pointermove', this, { passive: true, capture: true });
    document.addEventListener('click', this, { capture: true });
    addEventListener('keydown', this, true);
    addEventListener('keyup', this, true);
  }

  /** @param {any} event */
  handleEvent(event) {
    if (this.isGone() || !event.isTrusted) return; // scripts of the page click on things as well
    if (event.type === 'pointermove') this.point(event);
    else if (event.type === 'click') this.click(event);
    else if (event.key === 'Escape' && (event.type === 'keydown' ? this.card.isOpen : this.closes)) {
      event.stopPropagation();
      event.preventDefault(); // a dialog of the page would close as well
      this.closes = event.type === 'keydown';
      this.card.close();
    }
  }

  /** Whether the extension was updated or removed since; then leave the page to the next reader. */
  isGone() {
    if (chrome.runtime?.id) return false;
    this.observer.disconnect();
    document.removeEventListener('pointermove', this, { capture: true });
    document.removeEventListener('click', this, { capture: true });
    removeEventListener('keydown', this, true);
    removeEventListener('keyup', this, true);
    this.card.host.remove();
    for (const [name, shown] of this.shown) if (CSS.highlights.get(name) === shown) CSS.highlights.delete(name);
    return true;
  }

  /** Hear of changes below a node; once is enough. @param {Node} node */
  observe(node) {
    this.observer.observe(node, { childList: true, characterData: true, subtree: true, attributeFilter: ['contenteditable'] });
  }

  /** @param {MutationRecord[]} records */
  notice(records) {
    for (const { type, target, addedNodes, removedNodes } of records) {
      if (type === 'childList' && [...addedNodes, ...removedNodes].every((node) => node.nodeName === 'NACTATION-CARD')) continue;
      const matters = type === 'attributes' || target === document ? true : type === 'characterData' ? this.isMarked(target) || isCandidate(/** @type {Text} */ (target).data)
        : [...addedNodes].some((node) => isCandidate(node.textContent || '') || hasComponents(node)) || (removedNodes.length > 0 && this.marks.some(({ nodes }) => nodes.some((node) => !node.isConnected)));
      if (matters && (type === 'attributes' || this.isMarked(target) || !isWithinSkipped(target))) {
        this.later();
        return;
      }
    }
  }

  /** @param {Node} node */
  isMarked(node) {
    return this.places.has(node.nodeType === 1 ? /** @type {Element} */ (node) : elementOf(node));
  }

  later() {
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.read();
    }, this.pause);
  }

  /** Read again when web components have got their contents: nothing tells of that. */
  awaitComponents(patience = PAUSE, before = 0) {
    const { length } = document.querySelectorAll(':not(:defined)');
    if (length < before) this.later();
    this.awaiting = length && patience < PATIENCE ? setTimeout(() => this.awaitComponents(2 * patience, length), patience) : 0;
  }

  /** Read the page as it is now. */
  async read() {
    if (this.isGone()) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = true;
    try {
      if (document.readyState === 'loading') await new Promise((resolve) => { document.addEventListener('DOMContentLoaded', resolve, { once: true }); });
      this.listen();
      const begun = performance.now();
      const page = collect(document.body || document.documentElement);
      for (const root of page.roots) this.observe(root);
      const slices = slicesOf(page.text);
      if (!this.awaiting) this.awaitComponents();
      const collected = performance.now();
      this.pause = Math.max(PAUSE, 20 * (collected - begun));
      this.problem = '';
      /** @type {Mark[]} */
      const marks = [];
      /** @type {[Slice, any][]} */
      const replies = [];
      for (let at = 0; at < Math.min(slices.length, this.limit); at += 1) {
        const answer = await this.answerTo(slices[at].text);
        replies.push([slices[at], answer]);
        this.pause = Math.max(this.pause, Math.min(MAX_PAUSE, 3 * (performance.now() - collected)));
        if (answer.more) slices.splice(at + 1, 0, restOf(slices[at], answer.findings.at(-1).place[1]));
      }
      const found = replies.flatMap(([slice, { findings }]) => findings.map((/** @type {Finding} */ finding) => ({ finding, slice })));
      const sure = found.filter(({ finding }) => finding.sure === 'sure' && !finding.error);
      const isBackgammon = sure.some(({ finding }) => finding.kind === 'position' || finding.kind === 'analysis')
        || sure.length >= LEAST_SURE || (sure.length > 0 && /\b(?:backgammon|nactation)\b/i.test(page.text));
      let end = 0;
      for (const { finding, slice } of found) {
        const isShown = !finding.error && (finding.sure === 'sure' || (isBackgammon && finding.sure === 'likely'));
        const [start, stop] = finding.place.map((/** @type {number} */ place) => placeIn(slice, place));
        if (!isShown || start < end) continue;
        const part = rangeOf(page, start, stop);
        if (!part) continue;
        marks.push({ finding, ...part });
        end = stop;
      }
      this.left = Math.max(0, slices.length - this.limit);
      this.show(marks);
    } catch (error) {
      this.problem = error.message;
      if (!document.documentElement.dataset.nactation) this.count();
    } finally {
      this.running = false;
    }
    if (this.again) {
      this.again = false;
      this.later();
    }
  }

  /** @param {string} text */
  async answerTo(text) {
    const known = this.answers.get(text);
    if (known) return known;
    const answer = await askPython('find_in_post', [text]);
    const placeOf = placesOf(text);
    for (const finding of answer.findings) finding.place = finding.place.map(placeOf);
    if (this.answers.size >= MAX_ANSWERS) this.answers.clear();
    this.answers.set(text, answer);
    return answer;
  }

  /** @param {Mark[]} marks */
  show(marks) {
    this.marks = marks;
    this.places = new Map();
    for (const mark of marks) {
      for (const element of new Set(mark.nodes.map(elementOf))) this.places.set(element, [...(this.places.get(element) || []), mark]);
    }
    const isWrong = (/** @type {Mark} */ { finding }) => finding.kind === 'claim' && (finding.note || '').startsWith('wrong');
    this.highlight('nactation', marks.filter((mark) => !isWrong(mark)));
    this.highlight('nactation-wrong', marks.filter(isWrong));
    this.card.list(marks.map(({ finding }) => finding.text));
    this.count();
  }

  count() {
    const count = String(this.marks.length);
    const { dataset } = document.documentElement;
    const before = dataset.nactation;
    if (before !== count) dataset.nactation = count;
    if (Number(count) || Number(before)) askBackground('count').catch(() => {});
  }

  /** The mark below the pointer. @param {MouseEvent} event @returns {Mark | null} */
  markAt(event) {
    const [target] = event.composedPath();
    const near = this.places.get(/** @type {Element} */ (target));
    const isIn = (/** @type {DOMRect} */ { left, right, top, bottom }) => event.clientX >= left && event.clientX <= right && event.clientY >= top - 1 && event.clientY <= bottom + 3;
    return near?.find(({ range }) => [...range.getClientRects()].some(isIn)) || null;
  }

  /** @param {PointerEvent} event */
  point(event) {
    if (event.pointerType === 'touch') return;
    const mark = this.markAt(event);
    const isInCard = event.composedPath().includes(this.card.host);
    if (mark || isInCard) {
      clearTimeout(this.closing);
      this.closing = 0;
    } else if (this.card.isOpen && !this.card.isPinned && !this.closing) this.closing = setTimeout(() => this.card.close(), CLOSES);
    if (mark === this.current) return;
    clearTimeout(this.hover);
    this.current = mark;
    if (mark && !this.card.isPinned && !event.buttons) this.hover = setTimeout(() => this.open(mark), OPENS);
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (event.composedPath().includes(this.card.host)) return;
    const mark = this.markAt(event);
    const isForPage = event.composedPath().some((part) => part instanceof Element && fits(part, CLICKED)) || isSelected(mark);
    if (mark && !isForPage) this.open(mark, true);
    else if (!mark && this.card.isOpen) this.card.close();
  }

  /** Show the card of a mark, and keep it open if it was asked for. @param {Mark} mark */
  async open(mark, pins = false, takesFocus = true) {
    const [box] = mark.range.getClientRects();
    this.highlight('nactation-now', [mark]);
    this.opened = Date.now();
    const dialog = elementOf(mark.range.startContainer).closest('dialog:modal');
    await this.card.open(mark.finding, box || middle(), this.marks.indexOf(mark), dialog);
    if (pins) this.card.pin(takesFocus); // which an element that is not shown cannot take
  }

  closed() {
    this.highlight('nactation-now', []);
  }

  /** @param {string} name @param {Mark[]} marks */
  highlight(name, marks) {
    const highlight = new Highlight(...marks.map(({ range }) => range));
    this.shown.set(name, highlight);
    if (marks.length) CSS.highlights.set(name, highlight);
    else CSS.highlights.delete(name);
  }

  /** Scroll to a finding and show its card. @param {number} at */
  goTo(at, takesFocus = true) {
    const mark = this.marks[at % this.marks.length];
    if (!mark) return;
    elementOf(mark.range.startContainer)?.scrollIntoView({ block: 'center', behavior: 'instant' });
    this.open(mark, true, takesFocus);
  }

  /** The first finding from one on that the page shows; after the last one comes the first. @param {number} at */
  visibleFrom(at) {
    const places = this.marks.map((_, by) => (at + by) % this.marks.length);
    return places.find((place) => this.marks[place].range.getClientRects().length) ?? at;
  }

  /** Answer to `askFrames`. @param {any} message */
  heed({ name, at }) {
    if (name === 'show') this.goTo(at);
    if (name === 'next') this.goTo(this.visibleFrom(at));
    if (name === 'close') this.card.close();
    if (name === 'more') {
      this.limit += AUTOMATIC;
      this.read();
    }
    const texts = this.marks.map(({ finding: { text, kind } }) => [text, kind]);
    return { texts, left: this.left, busy: this.running, problem: this.problem, at: this.card.at, opened: this.opened };
  }
}

/** Whether the user has selected a part of a mark, perhaps to copy it. @type {(mark: Mark | null) => boolean} */
const isSelected = (mark) => Boolean(getSelection()?.isCollapsed === false && mark?.nodes.some((node) => getSelection()?.containsNode(node, true)));

/** Where the card of a text appears that the page does not show now. */
const middle = () => new DOMRect(innerWidth / 3, innerHeight / 3);

/** Whether a node has web components, whose text is elsewhere. @type {(node: any) => boolean} */
const hasComponents = (node) => node.nodeType === 1 && [node, ...node.getElementsByTagName('*')].some(({ localName, shadowRoot }) => shadowRoot || localName.includes('-'));

if (world.nactationReader) world.nactationReader.read();
else world.nactationReader = new PageReader();
