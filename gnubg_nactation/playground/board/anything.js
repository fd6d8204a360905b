// What is pasted into the field: a match opens in the library, a post is read, the rest is typed.

import { takeText } from '../library/matches.js';
import { field } from '../parts.js';
import { ask, settled, Stopped } from '../python.js';
import { readPost } from './reading.js';
import { retype, shown } from './typing.js';

const LONG = 200; // characters, more than most sequences
const STYLED = /<(?:i|em|b|strong|u|font)\b/i;

/** @type {Record<string, (text: string, html: string) => void>} */
const OPENS = { match: takeText, post: readPost };

async function onPaste(/** @type {ClipboardEvent} */ event) {
  const [text, html] = ['text/plain', 'text/html'].map((type) => event.clipboardData?.getData(type) || '');
  if (!/\n/.test(text.trim()) && text.length < LONG && !STYLED.test(html)) return;
  event.preventDefault();
  const shortened = text.trim();
  field('text').value = shortened.replace(/\s+/g, ' ');
  await settled();
  try {
    const kind = await ask('recognise', [text]);
    if (OPENS[kind]) {
      field('text').value = shown.text;
      OPENS[kind](text, html);
    } else retype(shortened);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
}

field('text').addEventListener('paste', onPaste);
