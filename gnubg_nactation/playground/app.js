// The playground: shows a view, the state of Python, and starts both.

import { find, markCurrent, press, query } from '../web/kit/dom.js';
import { board, onWalk } from './board.js';
import { followBoard } from './board/equities.js';
import { inTime } from './memory.js';
import { SLOW } from './parts.js';
import { start } from './python.js';
import { redraw } from './stage.js';
import { readAgain } from './board/typing.js';
import { VIEWS } from './views.js';

/** The place in the navigation of each view; the others are on the Board. @type {Record<string, string>} */
const PLACES = { match: 'library', library: 'library', leaks: 'library', find: 'library', write: 'library', study: 'learn', openings: 'openings', learn: 'learn', ten: 'learn', alphabet: 'learn', letters: 'learn', train: 'learn' };
/** Names of views in older addresses. @type {Record<string, string>} */
const FORMER = { play: 's' };
const WITHOUT_BOARD = ['match', 'leaks', 'find', 'learn', 'ten'];

/** @type {(encoded: string) => string} */
function decoded(encoded) {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded; // it was not encoded: % is a character of sequences
  }
}

// The address `#s=54S-63R` means the view `s` with a text; without an anchor it is the first screen.
function addressed() {
  const [, written = '', encoded = ''] = /^#?([a-z]*)=?(.*)$/s.exec(location.hash) || [];
  const name = FORMER[written] || written;
  if (Object.hasOwn(VIEWS, name)) return { name, texts: ['s', 'edit'].includes(name) ? encoded.replace(/&games$/, '').split('&or=').map(decoded) : [decoded(encoded)] };
  return { name: 's', texts: name ? [''] : [] };
}

/** How far each view was scrolled when it was left. @type {Record<string, number>} */
const tops = {};

function route() {
  const { name, texts } = addressed();
  const { view: before = '' } = document.documentElement.dataset;
  if (name !== before) tops[before] = scrollY;
  const { section, open } = VIEWS[name];
  const place = PLACES[name] || 'board';
  for (const view of document.querySelectorAll('.view')) view.toggleAttribute('hidden', view.id !== `view-${section}`);
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll('#places a, #within a');
  for (const link of links) {
    const isHere = link.dataset.place ? link.dataset.place === place : link.getAttribute('href') === `#${name}`;
    markCurrent(link, isHere, 'page');
    if (link.dataset.in) link.hidden = link.dataset.in !== place;
  }
  const row = find('within'); // which scrolls on a phone
  row.hidden = !['learn', 'library'].includes(place) || ['match', 'write'].includes(name);
  row.scrollLeft = (query('#within [aria-current]')?.offsetLeft || 0) - row.clientWidth / 3;
  find('stage').hidden = WITHOUT_BOARD.includes(section);
  find('steps').hidden = section !== 'board' || name === 'edit';
  find('edit-this').hidden = section !== 'board';
  find('entry').hidden = !['board', 'read'].includes(section);
  document.documentElement.dataset.view = name;
  document.documentElement.dataset.place = place;
  open(texts[0] ?? '', name, texts);
  if (before && name !== before) scrollTo(0, before === 'match' ? tops[name] || 0 : 0); // back to the list that led to the match
}

// Questions asked while Python was loading were lost.
function askAgain() {
  readAgain();
  const { name, texts } = addressed();
  if (VIEWS[name].isAgain) VIEWS[name].open(texts[0] ?? '', name, texts);
}

let wasReady = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let slow;

function showWork(/** @type {string} */ message, /** @type {boolean} */ isBusy) {
  if (find('what').textContent !== message) find('what').textContent = message;
  find('stop').hidden = !isBusy;
}

/** @type {(state: PythonState) => void} */
function showPython({ phase, done, message, busy, engine }) {
  if (phase !== 'ready' || !busy) {
    clearTimeout(slow);
    slow = undefined;
    showWork(message, false);
  } else if (!slow) slow = setTimeout(() => showWork('Working…', true), SLOW);
  find('progress').hidden = phase !== 'starting';
  find('progress').setAttribute('value', String(done));
  find('retry').hidden = phase !== 'failed';
  document.documentElement.dataset.python = phase;
  const equities = engine === null ? 'starting' : engine ? 'missing' : 'ready';
  if (document.documentElement.dataset.equities !== equities) followBoard();
  document.documentElement.dataset.equities = equities;
  const becomesReady = phase === 'ready' && !wasReady;
  wasReady = phase === 'ready'; // first, because a question changes the state
  if (becomesReady) askAgain();
}

// Keep the page for offline use.
async function keep() {
  try {
    const container = navigator.serviceWorker;
    const { installing } = await container.register('service.js');
    // A playground in a folder above may be in control first.
    if (container.controller?.scriptURL === new URL('service.js', location.href).href) return;
    await new Promise((/** @type {(_?: unknown) => void} */ resolve) => {
      container.addEventListener('controllerchange', resolve);
      installing?.addEventListener('statechange', () => { if (installing.state === 'redundant') resolve(); });
    });
  } catch {
    // Without a service worker the page works only online.
  }
}

async function begin() {
  for (const id of ['stop', 'retry']) find(id).addEventListener('click', () => start());
  find('flip').addEventListener('click', () => {
    board.isFlipped = !board.isFlipped;
    press(find('flip'), board.isFlipped);
    redraw();
  });
  onWalk((by) => VIEWS[addressed().name].walk?.(by), () => !find('steps').hidden);
  addEventListener('hashchange', route);
  showPython({ phase: 'starting', done: 0, message: 'Starting…', busy: false, engine: null });
  route();
  await inTime(keep()); // the service worker is to be in control before Python is fetched
  start(showPython);
}

begin();
