// When each question comes again: a question moves up a box with each right answer, and back to the
// first with a wrong one. A day is a number, so nothing here reads the clock.

import { counted } from '../../web/kit/words.js';

const VERSION = 1;
/** The days after which the question of a box comes again; box 0 has those to answer again today. */
const INTERVALS = [0, 1, 3, 7, 16, 35];
const LAST = INTERVALS.length - 1;
/** Thousandths of a point that a right play may lose. */
export const CLOSE = 10;
const GAP = 3; // other questions before one that was wrong comes again

/** The number of a day by the local calendar. @type {(date: Date) => number} */
export const dayOf = (date) => Math.floor((date.getTime() / 60000 - date.getTimezoneOffset()) / 1440);

/** The progress of a stored text; empty if that is damaged or of another version. @type {(text: string) => Progress} */
export function parseProgress(text) {
  const progress = new Map();
  let stored;
  try {
    stored = JSON.parse(text);
  } catch {
    return progress; // nothing is stored, or it is damaged
  }
  if (stored?.version !== VERSION || typeof stored.cards !== 'object') return progress;
  for (const [question, card] of Object.entries(stored.cards || {})) {
    const [box, due] = Array.isArray(card) ? card : [];
    if (Number.isInteger(box) && box >= 0 && box <= LAST && Number.isInteger(due)) progress.set(question, { box, due });
  }
  return progress;
}

/** The text that `parseProgress` reads. @type {(progress: Progress) => string} */
export const formatProgress = (progress) => JSON.stringify({
  version: VERSION, cards: Object.fromEntries([...progress].map(([question, { box, due }]) => [question, [box, due]])),
});

/** The progress after an answer. @type {(progress: Progress, question: string, isRight: boolean, today: number) => Progress} */
export function answered(progress, question, isRight, today) {
  const box = isRight ? Math.min((progress.get(question)?.box || 0) + 1, LAST) : 0;
  return new Map(progress).set(question, { box, due: today + INTERVALS[box] });
}

/** Whether a question is due; also after a clock was wrong by more than a day, as the calendar of a traveller may be. @type {(card: Card, today: number) => boolean} */
const isDue = ({ due }, today) => due <= today || due > today + INTERVALS[LAST] + 1;

/** When a question comes again, after its answer. @type {(progress: Progress, question: string) => string} */
export function againWords(progress, question) {
  const days = INTERVALS[progress.get(question)?.box || 0];
  return days ? `It comes again in ${counted(days, 'day')}.` : 'It comes again soon.';
}

/** How many of these questions are due, new and learnt, which is in the last two boxes. @type {(questions: string[], progress: Progress, today: number) => Counts} */
export function countsOf(questions, progress, today) {
  const cards = questions.flatMap((question) => progress.get(question) || []);
  return {
    due: cards.filter((card) => isDue(card, today)).length,
    fresh: questions.length - cards.length,
    learnt: cards.filter(({ box }) => box >= LAST - 1).length,
  };
}

/** A number that mixes questions, the same on all devices. @type {(question: string) => number} */
const mixed = (question) => [...question].reduce((hash, character) => Math.imul(hash ^ character.charCodeAt(0), 16777619) >>> 0, 2166136261);

/** The next question: one that is due, first those that were wrong, then the longest, then a new one, in an order of its own; null if all are learnt for today. `asked` are those asked so far. @type {(questions: string[], progress: Progress, today: number, asked: string[], rank?: (question: string) => number) => string | null} */
export function nextQuestion(questions, progress, today, asked, rank = mixed) {
  const dueOf = (/** @type {string} */ question) => progress.get(question)?.due ?? Infinity;
  const hasToWait = (/** @type {string} */ question) => Number(progress.get(question)?.box !== 0);
  const order = (/** @type {string} */ one, /** @type {string} */ other) => hasToWait(one) - hasToWait(other) || dueOf(one) - dueOf(other) || rank(one) - rank(other);
  const due = questions.filter((question) => { const card = progress.get(question); return card && isDue(card, today); });
  const fresh = questions.filter((question) => !progress.has(question));
  const recent = asked.slice(-GAP);
  const isReady = (/** @type {string} */ question) => !recent.includes(question);
  const ready = [...due.filter(isReady).sort(order), ...fresh.filter(isReady).sort(order)];
  // Without others, the one that was asked longest ago.
  return ready[0] ?? recent.find((question) => due.includes(question) || fresh.includes(question)) ?? null;
}
