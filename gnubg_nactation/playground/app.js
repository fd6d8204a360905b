// The playground: which view is shown, how Python fares, and the beginning.

import { find, press, isCommand } from '../web/kit/dom.js';
import { board } from './board.js';
import { start, stop } from './python.js';
import { redraw } from './stage.js';
import { askAgain, walk } from './typing.js';
import { VIEWS } from './views.js';

/** @type {(selector: string) => HTMLElement[]} */
const all = (selector) => [...document.querySelectorAll(selector)].map((one) => /** @type {HTMLElement} */ (one));

// `#s=54S-63R` is the view `s` with a text; without an anchor it is `s` with none.
function parts() {
  const [, name = '', text = ''] = /^#?([a-z]*)=?(.*)$/s.exec(location.hash) || [];
  let shown = text;
  try {
    shown = decodeURIComponent(text);
  } catch {
    // as it stands: a sequence has signs of per cent of its own
  }
  if (Object.hasOwn(VIEWS, name)) return { name, text: shown };
  return { name: 's', text: name ? '' : shown };
}

function route() {
  const { name, text } = parts();
  const { section, open } = VIEWS[name];
  for (const one of all('.view')) one.hidden = one.id !== `view-${section}`;
  for (const link of all('#views a')) {
    if (String(link.getAttribute('href')).slice(1).split('=')[0] === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  find('stage').hidden = section === 'match';
  find('steps').hidden = section !== 'type';
  document.documentElement.dataset.view = name;
  open(text, name);
}

// What was asked before Python was there; what is typed by now stays.
function askOnceMore() {
  askAgain();
  const { name, text } = parts();
  if (VIEWS[name].isAgain) VIEWS[name].open(text, name);
}

const SLOW = 250; // milliseconds after which work is told: not with each key that is typed
let told = false; // that Python is ready
/** @type {ReturnType<typeof setTimeout> | undefined} */
let slow;

function showWork(/** @type {string} */ what, /** @type {boolean} */ isBusy) {
  if (find('what').textContent !== what) find('what').textContent = what;
  find('stop').hidden = !isBusy;
}

/** @type {(state: PythonState) => void} */
function showPython({ phase, done, what, busy }) {
  if (phase !== 'ready' || !busy) {
    clearTimeout(slow);
    slow = undefined;
    showWork(what, false);
  } else if (!slow) slow = setTimeout(() => showWork('Working…', true), SLOW);
  find('progress').hidden = phase !== 'starting';
  find('progress').setAttribute('value', String(done));
  find('retry').hidden = phase !== 'failed';
  document.documentElement.dataset.python = phase;
  if (phase === 'ready' && !told) askOnceMore();
  told = phase === 'ready';
}

// Offline the next time. What the worker fetches is kept only once the service worker is there.
async function keep() {
  try {
    const container = navigator.serviceWorker;
    const { installing } = await container.register('service.js');
    // Until ours is there, a playground in a folder above may be in control.
    if (container.controller?.scriptURL === new URL('service.js', location.href).href) return;
    await new Promise((/** @type {(_?: unknown) => void} */ resolve) => {
      container.addEventListener('controllerchange', resolve);
      installing?.addEventListener('statechange', () => { if (installing.state === 'redundant') resolve(); });
      setTimeout(resolve, 5000);
    });
  } catch {
    // There is none, or it is refused: the page works without, as long as there is a network.
  }
}

const STEPS = { back: -1, on: 1 };
/** @type {Record<string, number>} */
const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

function onKey(/** @type {any} */ event) {
  const by = KEYS[event.key];
  const isTyping = event.target.closest?.('input, select, textarea');
  if (!by || isTyping || isCommand(event) || find('steps').hidden) return;
  event.preventDefault();
  walk(by);
}

async function begin() {
  find('stop').addEventListener('click', stop);
  find('retry').addEventListener('click', () => start());
  find('flip').addEventListener('click', () => {
    board.isFlipped = !board.isFlipped;
    press(find('flip'), board.isFlipped);
    redraw();
  });
  for (const [id, by] of Object.entries(STEPS)) find(id).addEventListener('click', () => walk(by));
  addEventListener('keydown', onKey);
  addEventListener('hashchange', route);
  showPython({ phase: 'starting', done: 0, what: 'Starting…', busy: false });
  route();
  await keep();
  start(showPython);
}

begin();
