// The text of a page, as Python reads it, and where each of its characters is in the page.

/** A part of the text: its start, and the node that has it. @typedef {{at: number, node: Text, from: number, size: number}} Run */
/** `roots` are the open parts of web components. @typedef {{text: string, runs: Run[], roots: ShadowRoot[]}} PageText */
/** A part of the page to read, and where its pieces come from. @typedef {{text: string, cuts: [at: number, from: number][]}} Slice */

const SKIPPED = new Set('SCRIPT STYLE NOSCRIPT TEMPLATE TEXTAREA INPUT SELECT OPTION DATALIST IFRAME OBJECT EMBED VIDEO AUDIO CANVAS SVG MATH HEAD TITLE NACTATION-CARD'.split(' '));
const PARAGRAPHS = new Set('P H1 H2 H3 H4 H5 H6 UL OL DL PRE BLOCKQUOTE TABLE HR FORM FIGURE ARTICLE SECTION HEADER FOOTER NAV ASIDE MAIN FIELDSET DETAILS'.split(' '));
const BLOCKS = new Set('DIV LI DT DD TR CAPTION ADDRESS CENTER BODY HTML SUMMARY FIGCAPTION LEGEND THEAD TBODY TFOOT'.split(' '));
const SEPARATE = new Set(['TD', 'TH', 'IMG']); // which no word goes through
/** @type {Record<string, string>} */
const STYLES = { U: 'u', INS: 'u', I: 'i', EM: 'i', B: 'b', STRONG: 'b' };
const EDITORS = '[contenteditable]:not([contenteditable="false" i]), [role="textbox"], .CodeMirror, .cm-editor, .monaco-editor, .ace_editor';
const LETTERS = 3; // characters of an element whose underline may be that of a letter
const LOOK = /** @type {const} */ (['font-style', 'font-weight', 'text-decoration-line', 'color']);

/** The name of an element, also of one of XHTML or SVG. @type {(element: Element) => string} */
const nameOf = ({ nodeName }) => nodeName.toUpperCase();

/** Whether a selector fits an element, also a form that has a field called matches. @type {(element: Element, selector: string) => boolean} */
export const fits = (element, selector) => Element.prototype.matches.call(element, selector);

/** Whether the user writes there, or it is no text. @type {(element: Element) => boolean} */
export const isSkipped = (element) => SKIPPED.has(nameOf(element)) || fits(element, EDITORS);

/** Whether a node is in a part that is skipped. @type {(node: Node) => boolean} */
export function isWithinSkipped(node) {
  if (node.ownerDocument?.designMode === 'on') return true;
  for (let element = node.nodeType === 1 ? /** @type {Element} */ (node) : node.parentElement; element; element = element.parentElement) {
    if (isSkipped(element)) return true;
  }
  return false;
}

/** The element around a text that is in the page. @type {(node: Node) => Element} */
export const elementOf = (node) => node.parentElement || /** @type {ShadowRoot} */ (node.getRootNode()).host;

/** The tag that tells Python how the letters of an element look. @type {(element: any) => string} */
function tagOf(element) {
  const kind = nameOf(element);
  const name = STYLES[kind];
  if (name) return `<${name}>`;
  const style = element.getAttribute('style') ? LOOK.map((key) => {
    const value = element.style.getPropertyValue(key);
    return value && `${key === 'text-decoration-line' ? 'text-decoration' : key}:${value.replace(/["<>&;]/g, '')}`;
  }).filter(Boolean).join(';') : '';
  if (style) return `<span style="${style}">`;
  if (kind === 'FONT' && element.color) return `<font color="${element.color.replace(/["<>&]/g, '')}">`;
  const isLetter = kind === 'SPAN' && element.className && element.textContent.length <= LETTERS;
  return isLetter && getComputedStyle(element).textDecorationLine.includes('underline') ? '<u>' : '';
}

/** The line ends around an element. @type {(element: Element) => number} */
function gapOf(element) {
  const name = nameOf(element);
  if (PARAGRAPHS.has(name)) return 2;
  if (BLOCKS.has(name)) return 1;
  if (!name.includes('-')) return 0;
  return /^(inline|contents|none)/.test(getComputedStyle(element).display) ? 0 : 1;
}

/** Whether an element without line ends is a box of its own all the same, as the parts of a row in a chat are. @type {(element: Element) => boolean} */
const isBlock = (element) => /^(block|flex|grid)/.test(getComputedStyle(element).display);

/** What is shown in an element, also in a web component. @type {(element: any) => Iterator<Node>} */
function partsOf(element) {
  const given = nameOf(element) === 'SLOT' ? element.assignedNodes() : [];
  return given.length ? given.values() : siblings((element.shadowRoot || element).firstChild);
}

/** @type {(first: Node | null) => Generator<Node>} */
function* siblings(first) {
  for (let node = first; node; node = node.nextSibling) yield node;
}

/** All text below an element. @type {(root: Element) => PageText} */
export function collect(root) {
  /** @type {Run[]} */
  const runs = [];
  /** @type {ShadowRoot[]} */
  const roots = [];
  /** @type {string[]} */
  const parts = [];
  let at = 0;
  let ends = 2; // line ends before this place
  const add = (/** @type {string} */ text) => {
    parts.push(text);
    at += text.length;
  };
  const open = (/** @type {number} */ gap) => {
    if (gap > ends) add('\n'.repeat(gap - ends));
    ends = Math.max(gap, ends);
  };
  const write = (/** @type {Text} */ node) => {
    const { data } = node;
    if (!data.trim()) {
      if (data && !ends && !/\s$/.test(parts[parts.length - 1] || ' ')) add(' ');
      return;
    }
    const isPre = data.includes('\n') && node.parentElement && /^(pre|break-spaces)/.test(getComputedStyle(node.parentElement).whiteSpace);
    // Pieces of several blanks become one, and what would be a tag or an entity is escaped.
    const special = isPre ? /&(?=#?\w+;)|<(?=[a-z/!])/gi : /\s{2,}|[\n\t\r]|&(?=#?\w+;)|<(?=[a-z/!])/gi;
    let from = 0;
    const put = (/** @type {number} */ to) => {
      if (to > from) {
        runs.push({ at, node, from, size: to - from });
        add(data.slice(from, to));
      }
    };
    for (const match of data.matchAll(special)) {
      put(match.index);
      runs.push({ at, node, from: match.index, size: match[0].length });
      add(match[0] === '&' ? '&amp;' : match[0] === '<' ? '&lt;' : ' ');
      from = match.index + match[0].length;
    }
    put(data.length);
    ends = 0;
  };
  /** The elements that are open, each with what closes it. @type {{rest: Iterator<Node>, gap: number, close: string}[]} */
  const stack = isWithinSkipped(root) ? [] : [{ rest: partsOf(root), gap: 0, close: '' }];
  while (stack.length) {
    const top = stack[stack.length - 1];
    const { value: node, done } = top.rest.next();
    if (done) {
      stack.pop();
      if (top.close) add(top.close);
      open(top.gap);
      continue;
    }
    if (node.nodeType === 3) write(/** @type {Text} */ (node));
    if (node.nodeType !== 1) continue;
    const element = /** @type {Element} */ (node);
    if (nameOf(element) === 'BR') {
      add('\n');
      ends = Math.min(ends + 1, 2);
      continue;
    }
    if (isSkipped(element)) continue;
    const gap = gapOf(element);
    open(gap);
    if (!ends && !gap && (SEPARATE.has(nameOf(element)) || (!/\s$/.test(parts[parts.length - 1] || ' ') && isBlock(element)))) add(' ');
    const tag = gap ? '' : tagOf(element);
    if (tag) add(tag);
    if (element.shadowRoot) roots.push(element.shadowRoot);
    stack.push({ rest: partsOf(element), gap, close: tag && `</${/\w+/.exec(tag)?.[0]}>` });
  }
  return { text: parts.join(''), runs, roots };
}

const TAGS = '(?:<[^<>]{1,80}>){0,3}';
/** The cheap test: a roll with a letter or a bracket, or what may be an ID. */
const CANDIDATE = new RegExp(`[1-6]{2}${TAGS}(?:[^\\s\\d.,:;)/<'"]|&amp;|&lt;|[ -] ?[A-Za-z@$&*](?![A-Za-z])| ?[[])|XGID|[A-Za-z0-9+/]{14}|\\bxx\\b`, 'g');
const NEAR = 2000; // characters around a candidate that its reading may need
const MOST = 40000; // characters that are read at once

const DATE = '(?:[a-z]{2,9}[.,]{0,2} ){0,2}(?:\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}|\\d{1,2}(?:st|nd|rd|th)?,?[ -](?:[a-z]{3,9}\\.?,?[ -])?\\d{4}|\\d{1,2}[/.]\\d{1,2}[/.]\\d{2,4})';
/** The start of a line that may tell the day of a post, by which its letters are read: a date after a label or a bracket, or alone. */
const DATED = new RegExp(`^(?:<[^<>\\n]{1,80}>|[ \\t>*_#|(-]){0,8}(?:(?:date|(?:re)?post|sent|publish|writt|creat|by )[^\\n]{0,70}?${DATE}|\\[${DATE}|${DATE}(?=[ \\t.,)*_|-]{0,8}(?:(?:at )?\\d{1,2}[:.]\\d\\d[^\\n]{0,12})?$))`, 'gim');

const TIMES = /\b\d{1,2}(?::\d\d){1,2}(?: ?[ap]m)?\b/gi;

/** Whether a text that was added may change what is found; the time of a message does not. @type {(text: string) => boolean} */
export const isCandidate = (text) => /[1-6]{2}|[A-Za-z0-9+/]{14}|^\W{0,2}[A-Za-z@$&]\b/.test(text.replace(TIMES, '0'));

/** The parts of a text around its candidates. @type {(text: string) => Slice[]} */
export function slicesOf(text) {
  /** @type {[number, number][]} */
  const places = [];
  for (const { index } of text.matchAll(CANDIDATE)) {
    const last = places[places.length - 1];
    if (last && index < last[1]) {
      last[1] = index + NEAR;
      continue;
    }
    const start = Math.max(0, index - NEAR);
    if (last && start <= last[1]) last[1] = index + NEAR;
    else places.push([start, index + NEAR]);
  }
  addDates(text, places);
  /** @type {Slice[]} */
  const slices = [];
  let from = 0; // what is before it has been read, or need not be
  for (const [start, end] of places) {
    const after = text.slice(end, end + NEAR).indexOf('\n');
    const to = Math.min(text.length, after < 0 ? end : end + after);
    const least = Math.max(from, start - NEAR);
    const before = text.slice(least, start).lastIndexOf('\n');
    from = before < 0 ? Math.max(from, start) : least + before + 1;
    while (from < to) {
      let stop = Math.min(to, from + MOST);
      if (stop < to) stop = from + Math.max(text.slice(from, stop).lastIndexOf('\n'), MOST / 2);
      const last = slices[slices.length - 1];
      const part = text.slice(from, stop);
      if (last && last.text.length + part.length < MOST) {
        last.cuts.push([last.text.length + 2, from]);
        last.text += `\n\n${part}`;
      } else slices.push({ text: part, cuts: [[0, from]] });
      from = stop;
    }
  }
  return slices;
}

/** Add to the places that are read, in their order, the last line with a date before each; the first date also counts for what is before it. @type {(text: string, places: [number, number][]) => void} */
function addDates(text, places) {
  if (!places.length) return;
  const dates = [...text.matchAll(DATED)].map(({ index, 0: { length } }) => /** @type {[number, number]} */ ([index, index + length]));
  /** @type {[number, number][]} */
  const added = [];
  let next = 0; // the first date that is not before the place
  let read = 0; // where the place before it ends
  for (const [start, end] of places) {
    while (next < dates.length && dates[next][1] <= start) next += 1;
    if (next && dates[next - 1][0] >= read) added.push(dates[next - 1]);
    read = end;
  }
  const isRead = (/** @type {[number, number]} */ [from, to]) => places.some(([start, end]) => from >= start && to <= end);
  if (dates.length && !added.includes(dates[0]) && dates[0][0] > places[0][0] && !isRead(dates[0])) added.push(dates[0]);
  places.push(...added);
  places.sort(([one], [other]) => one - other);
}

/** The places of a text, counted as Python does: an emoji is one character there and two here. @type {(text: string) => (place: number) => number} */
export function placesOf(text) {
  const wide = [...text.matchAll(/[\u{10000}-\u{10ffff}]/gu)].map(({ index }, before) => index - before);
  return (place) => place + wide.filter((at) => at < place).length;
}

/** What is left of a slice after a place. @type {(slice: Slice, place: number) => Slice} */
export function restOf(slice, place) {
  const { text, cuts } = slice;
  const later = cuts.filter(([at]) => at > place).map(([at, from]) => /** @type {[number, number]} */ ([at - place, from]));
  return { text: text.slice(place), cuts: [[0, placeIn(slice, place)], ...later] };
}

/** Where a place of a slice is in the whole text. @type {(slice: Slice, place: number) => number} */
export function placeIn({ cuts }, place) {
  const cut = cuts.filter(([at]) => at <= place).pop();
  return cut ? cut[1] + place - cut[0] : place;
}

/** The last run that begins at a place or before it. @type {(runs: Run[], place: number) => number} */
function runAt(runs, place) {
  let [low, high] = [0, runs.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (runs[middle].at <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The range of a part of the text, with its text nodes; null if it has none. @type {(page: PageText, start: number, end: number) => {range: Range, nodes: Text[]} | null} */
export function rangeOf({ runs }, start, end) {
  if (!runs.length) return null;
  let first = runAt(runs, start);
  const last = runAt(runs, end - 1);
  const isAfter = start >= runs[first].at + Math.max(runs[first].size, 5);
  if (isAfter && first < last) first += 1; // it begins with a tag
  const [begin, stop] = [runs[first], runs[last]];
  if (!begin.node.isConnected || !stop.node.isConnected) return null;
  const range = document.createRange();
  const limit = (/** @type {Run} */ run, /** @type {number} */ place) => Math.min(run.from + Math.max(0, Math.min(place - run.at, run.size)), run.node.length);
  range.setStart(begin.node, start < begin.at ? begin.from : limit(begin, start));
  range.setEnd(stop.node, end - 1 - stop.at < stop.size ? limit(stop, end) : Math.min(stop.from + stop.size, stop.node.length));
  return range.collapsed ? null : { range, nodes: [...new Set(runs.slice(first, last + 1).map(({ node }) => node))] };
}
