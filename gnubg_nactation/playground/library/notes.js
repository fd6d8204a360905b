// Stars, tags and notes on decisions. They are kept beside the library, and are part of its copies.

import { element, press } from '../../web/kit/dom.js';
import { recall, store } from '../../web/kit/storage.js';
import { XGID } from '../embedded.js';
import { formatProgress, parseProgress } from '../learn/schedule.js';
import { button, keyOf, tried } from '../parts.js';
import { keepNotes, keptNotes } from './keeping.js';

export const PROGRESS = keyOf('mistakes');

/** What a decision is kept under: a turn may have one about the cube and one about the play. @type {(decision: Decision) => string} */
export const nameOf = ({ place, roll }) => place + (roll ? '' : 'c');

const tagsIn = (/** @type {string} */ text) => [...new Set(text.split(',').map((tag) => tag.trim()).filter(Boolean))];

/** What a visitor can write about a decision; `after` is called with each change. @type {(decision: Decision, after?: () => void) => any} */
export function noteBox(decision, after = () => {}) {
  const name = nameOf(decision);
  let isStarred = false;
  const keep = tried(async () => {
    await keepNotes([[name, { isStarred, tags: tagsIn(tags.value), text: text.value.trim(), decision }]]);
    after();
  });
  const star = button(() => {
    isStarred = !isStarred;
    press(star, isStarred);
    keep();
  }, 'Star');
  const tags = element('input', { ariaLabel: 'Tags', placeholder: 'Tags, with commas between', maxLength: 200 });
  const text = element('textarea', { ariaLabel: 'Note', placeholder: 'Note', rows: 2, maxLength: 5000 });
  for (const field of [tags, text]) field.addEventListener('change', keep);
  press(star, false);
  keptNotes().then((notes) => {
    const note = notes.get(name);
    if (!note) return;
    ({ isStarred } = note);
    press(star, isStarred);
    tags.value = note.tags.join(', ');
    text.value = note.text;
  }, () => {}); // nothing, where nothing is kept
  return element('div', { className: 'notes' }, element('p', { className: 'row' }, star, tags), text);
}

/** All notes and answers, for a copy of the library. */
export const studyText = async () => JSON.stringify({ notes: Object.fromEntries(await keptNotes()), progress: recall(PROGRESS) });

/** @type {(note: any) => boolean} */
const isNote = ({ isStarred, tags, text, decision }) => typeof isStarred === 'boolean' && Array.isArray(tags) && [...tags, text, decision?.place, decision?.made].every((one) => typeof one === 'string')
  && XGID.test(String(decision.xgid).replace('XGID=', '')) && Array.isArray(decision.players) && typeof decision.lost === 'number';

/** Keep the notes and answers of a copy that are not here yet. @type {(text: string) => Promise<void>} */
export async function mergeStudy(text) {
  const { notes = {}, progress = '' } = JSON.parse(text);
  const here = await keptNotes();
  await keepNotes(Object.entries(notes).filter(([name, note]) => !here.has(name) && isNote(note)));
  store(PROGRESS, formatProgress(new Map([...parseProgress(progress), ...parseProgress(recall(PROGRESS))])));
}
