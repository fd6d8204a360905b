// Stars, tags and notes on decisions. They are kept beside the library, and are part of its copies.

import { element, press } from '../../web/kit/dom.js';
import { recall, store } from '../../web/kit/storage.js';
import { turnOf } from '../embedded.js';
import { formatProgress, parseProgress } from '../learn/schedule.js';
import { button, keyOf, tried } from '../parts.js';
import { changeNote, isAbout, keepNotes, keptNotes } from './keeping.js';

export const PROGRESS = keyOf('mistakes');

/** What a decision is kept under: a turn may have one about the cube and one about the play. @type {(decision: Decision) => string} */
export const nameOf = ({ place, roll }) => place + (roll ? '' : 'c');

const tagsIn = (/** @type {string} */ text) => [...new Set(text.split(',').map((tag) => tag.trim()).filter(Boolean))];

/** What a visitor can write about a decision; `after` is called with each change. @type {(decision: Decision, after?: () => void) => any} */
export function noteBox(decision, after = () => {}) {
  const name = nameOf(decision);
  let isStarred = false;
  const keep = (/** @type {() => Partial<Note>} */ changes) => tried(async () => {
    await changeNote(name, { ...changes(), decision });
    after();
  });
  const keepStar = keep(() => ({ isStarred }));
  const star = button(() => {
    isStarred = !isStarred;
    press(star, isStarred);
    keepStar();
  }, 'Star');
  const tags = element('input', { ariaLabel: 'Tags', placeholder: 'Tags, with commas between', maxLength: 200 });
  const text = element('textarea', { ariaLabel: 'Note', placeholder: 'Note', rows: 2, maxLength: 5000 });
  tags.addEventListener('change', keep(() => ({ tags: tagsIn(tags.value) })));
  text.addEventListener('change', keep(() => ({ text: text.value.trim() })));
  press(star, false);
  keptNotes().then((notes) => {
    const note = notes.get(name);
    if (!isAbout(note, decision)) return;
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
  && Boolean(turnOf(String(decision.xgid).replace('XGID=', ''))) && Array.isArray(decision.players) && typeof decision.lost === 'number';

/** Keep the notes and answers of a copy that are not here yet. `names` are those of files that have another name here. @type {(text: string, names: Record<string, string>) => Promise<void>} */
export async function mergeStudy(text, names) {
  const { notes = {}, progress = '' } = JSON.parse(text);
  const here = await keptNotes();
  const fileHere = (/** @type {string} */ file) => (Object.hasOwn(names, file) ? names[file] : file);
  const placeHere = (/** @type {string} */ place) => {
    const at = place.lastIndexOf('#');
    return fileHere(place.slice(0, at)) + place.slice(at);
  };
  /** @type {[string, any][]} */
  const kept = Object.entries(notes).filter(([, note]) => isNote(note));
  // A note here about another decision, of a match that had the name before, gives way.
  await keepNotes(kept.map(([name, { decision, ...note }]) => /** @type {[string, Note]} */ ([placeHere(name), { ...note, decision: { ...decision, file: fileHere(decision.file), place: placeHere(decision.place) } }]))
    .filter(([name, { decision }]) => !isAbout(here.get(name), decision)));
  const answers = [...parseProgress(progress)].map(([name, card]) => /** @type {[string, any]} */ ([placeHere(name), card]));
  store(PROGRESS, formatProgress(new Map([...answers, ...parseProgress(recall(PROGRESS))])));
}
