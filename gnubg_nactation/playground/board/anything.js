// What is pasted into the field: a match opens in the library, a post is read, the rest is typed.

import { takeText } from '../library/matches.js';
import { field } from '../parts.js';
import { ask, settled, Stopped } from '../python.js';
import { pasted, readPost } from './reading.js';
import { linkOf, retype, shown } from './typing.js';

const LONG = 200; // characters, more than most sequences
const STYLED = /<(?:i|em|b|strong|u|font)\b/i;

/** @type {Record<string, (text: string, html: string) => void>} */
const OPENS = { match: takeText, post: readPost };

async function onPaste(/** @type {ClipboardEvent} */ event) {
  const [text, html] = pasted(event);
  const isShort = !/\n/.test(text.trim()) && text.length < LONG;
  if (isShort && !STYLED.test(html)) return;
  event.preventDefault();
  const { value, selectionStart: from, selectionEnd: to } = field('text');
  const whole = isShort ? value.slice(0, from ?? 0) + text.trim() + value.slice(to ?? 0) : text.trim();
  const line = field('text').value = whole.replace(/\s+/g, ' ');
  const { view } = document.documentElement.dataset;
  const kind = await kindOf(text);
  if (field('text').value !== line || document.documentElement.dataset.view !== view) return; // the visitor did not wait
  if (OPENS[kind]) {
    field('text').value = shown.text;
    OPENS[kind](text, html);
  } else if (shown.active) retype(whole);
  else location.href = linkOf(whole);
}

/** What a text is; empty if Python was stopped or could not be loaded. */
async function kindOf(/** @type {string} */ text) {
  await settled();
  try {
    return await ask('recognise', [text]);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return '';
  }
}

field('text').addEventListener('paste', onPaste);
