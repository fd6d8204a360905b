// What the quizzes about a match ask: "your play?" at each mistake (`quiz`), and `letters`.

import { isMistake } from './model.js';

const CHOICES = 6;

/** @type {(step: Step) => boolean} */
const isChoice = ({ board, cube, plays }) => Boolean(board && (cube ? cube.best : plays.length > 1));

/** @type {<T>(list: T[]) => T[]} */
function shuffled(list) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}

/** The questions about both players, or one: '0', '1'. @type {(steps: Step[], subject: string, player: string) => Step[]} */
export function questionsOf(steps, subject, player) {
  const theirs = steps.filter((step) => player === 'both' || step.player === Number(player));
  if (subject === 'quiz') return theirs.filter((step) => isMistake(step) && isChoice(step));
  return shuffled(theirs.filter((step) => step.name && step.said.includes('/') && !step.forced && step.board));
}

/** The family of a play, and others of this match that do not name it. @type {(step: Step, families: object, names: Map<string, Name>) => string[]} */
export function lettersOf({ name = '', others = [] }, families, names) {
  const familyOf = (/** @type {string} */ one) => names.get(one)?.family || '';
  const rights = new Set([name, ...others.map(([other]) => other)].map(familyOf));
  const wrong = Object.keys(families).filter((key) => !rights.has(key) && !/[0-9]/.test(key) && names.has(key));
  return shuffled([familyOf(name), ...shuffled(wrong).slice(0, CHOICES - 1)]);
}
