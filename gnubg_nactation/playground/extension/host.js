// Holds Python for the pages that are read, and ends it when nobody has asked for some minutes.

import { hire } from '../assistant.js';
import { pngOf } from '../../web/kit/copying.js';
import { data } from '../data.js';
import { makeRoom } from '../memory.js';

const IDLE = 3 * 60000; // milliseconds after the last question
const AWAKE = 20000; // milliseconds, in which a browser would end a background page
/** What other pages may ask. */
const OPEN = ['find_in_post', 'equities', 'as_post', 'board_image'];
/** @type {Assistant | null} */
let worker = null;
let busy = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let ending;
/** @type {ReturnType<typeof setInterval> | undefined} */
let waking;
/** Resolves with the reason why there are no equities. @type {Promise<string>} */
let engine = Promise.resolve('');
/** @type {(problem: string) => void} */
let settle = () => {};
let failure = '';

async function begin() {
  await makeRoom().catch(() => {}); // without it each start takes as long as the first
  if (worker) return;
  failure = '';
  engine = new Promise((resolve) => { settle = resolve; });
  if (!data.engine) settle('The extension was built without the engine.');
  worker = hire(({ kind, problem, message }) => {
    if (kind === 'engine') settle(problem);
    if (kind === 'failed') {
      failure = `Python could not be loaded: ${message}`;
      end();
    }
  }, false);
  waking = setInterval(() => chrome.runtime.getPlatformInfo(), AWAKE);
}

function end() {
  clearInterval(waking);
  clearTimeout(ending);
  worker?.end();
  worker = null;
  settle(failure || 'Python has ended.');
}

/** @param {number} patience milliseconds */
function rest(patience) {
  clearTimeout(ending);
  ending = setTimeout(() => {
    if (busy) return;
    end();
    if (!chrome.tabs) close();
  }, patience);
}

/** The picture of a board as the address of a PNG. @type {(svg: string) => Promise<string>} */
async function picture(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const png = await pngOf(url, 1240, 1120);
  URL.revokeObjectURL(url);
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsDataURL(png);
  });
}

/** Python stays for as long as `patience` after the answer. @type {(question: {name: string, args: unknown[], patience?: number}) => Promise<{value?: any, error?: string}>} */
async function answer({ name, args, patience = IDLE }) {
  if (!OPEN.includes(name)) return { error: `no page may ask ${name}` };
  busy += 1;
  try {
    if (!worker) await begin();
    if (!worker) return { error: 'This browser cannot run Python.' };
    if (name === 'equities') {
      worker.needEngine();
      const problem = await engine;
      if (problem) return { error: problem };
    }
    let reply = await worker.reply(name, args);
    while (reply.value?.unfinished && name === 'equities') reply = await worker.reply(name, args);
    if (reply.hasStopped) end(); // the next question starts another
    return name === 'board_image' && !reply.error ? { value: await picture(reply.value) } : reply;
  } catch (error) {
    return { error: failure || error.message || 'Python was stopped.' };
  } finally {
    busy -= 1;
    rest(patience);
  }
}

chrome.runtime.onMessage.addListener((/** @type {any} */ message, /** @type {any} */ _, /** @type {(reply: any) => void} */ reply) => {
  if (message.to !== 'host') return false;
  answer(message).then(reply);
  return true;
});
