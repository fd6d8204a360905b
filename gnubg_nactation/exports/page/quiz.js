// The quizzes about this match: "your play?" at each mistake, and "which letter?".

import { element, find } from '../../web/kit/dom.js';
import { hopsFrom, hopsLeft, newEntry, sidesNow } from '../../web/kit/entry.js';
import { diceOf, played, waysToPlay } from '../../web/kit/game.js';
import { boardWords, points } from '../../web/kit/words.js';
import { board, data, family, familyOf, glyph, member, names, places, spelled, steps } from './match.js';
import { lettersOf, questionsOf } from '../../web/kit/quiz.js';
import { current, go, showBoard, showGame, showStep, standAt, whenLeft } from './steps.js';
import { dismiss } from './words.js';

/** The running quiz. @type {Quiz | null} */
export let asking = null;
const score = { right: 0, wrong: 0 };
const isFine = matchMedia('(pointer: fine)');

/** Whether the step is an answer to a double. @type {(step: Step) => boolean} */
const isAnswer = ({ cube }) => Boolean(cube && ['take', 'drop'].includes(cube.act));
/** The question, until it is answered. @type {() => Step | null} */
const openQuestion = () => (asking && !asking.done && asking.questions[asking.at]) || null;

/** Whether a text spells a Nactation: in any form, with its number, or as a word. @type {(typed: string, name: string) => boolean} */
function isSpelling(typed, name) {
  const key = familyOf(name);
  const bare = name.replace(/\{\d+\}/, '');
  const forms = ['plain', ...Object.keys(data.like)].map((form) => spelled(name, form));
  if ([...forms, name.replace('_', '\u0332'), `${bare}{${member(name)}}`].includes(typed)) return true;
  return name === key && [...key].length === 1 && typed.toLowerCase() === family(key)[0];
}

/** Whether a text may name a legal play: a letter with marks, or its word; numerals may name any play. @type {(typed: string, legal: string) => boolean} */
function mayBePlay(typed, legal) {
  const letters = [...typed.replace(/\{\d+\}/g, '').replace(/[._\u0332]/g, '')];
  if (letters.length === 1) return legal.includes(letters[0].toUpperCase()) || '0123456789=+'.includes(letters[0]);
  return Object.entries(data.families).some(([key, [word]]) => word === typed.toLowerCase() && legal.includes(key[0]));
}

/** Ask about the steps of a player, first the one at `from` or next after it. @type {(subject: string, player?: string, from?: number) => void} */
export function startQuiz(subject, player = 'both', from = 0) {
  go(Math.max(current, 0), { way: 'none' }); // which leaves the summary
  dismiss();
  const questions = questionsOf(steps, subject, player);
  const at = Math.max(questions.findIndex((step) => Number(places.get(step.id)) >= from), 0);
  asking = { subject, questions, at, entry: newEntry(), done: false, letters: {} };
  document.documentElement.classList.add('asking');
  find('asked').hidden = false;
  find('players').value = player;
  nextQuestion(asking, 0);
}

function endQuiz() {
  if (!asking) return;
  asking = null;
  find('asked').hidden = true;
  document.documentElement.classList.remove('asking', 'answered');
}

/** @type {(quiz: Quiz, by?: number) => void} */
function nextQuestion(quiz, by = 1) {
  quiz.at += by;
  quiz.entry = newEntry();
  quiz.done = false;
  document.documentElement.classList.remove('answered');
  find('verdict').replaceChildren();
  find('answer').value = '';
  find('panel').replaceChildren();
  const step = openQuestion();
  if (step) standAt(step);
  showQuestion(quiz);
  const first = step && !step.cube && quiz.subject === 'quiz' ? find('answer') : find('choices').querySelector('button');
  if (first && isFine.matches) first.focus({ preventScroll: true });
}

export function showQuestion(/** @type {Quiz} */ quiz) {
  const { questions, at, subject, done, entry } = quiz;
  const step = questions[at];
  find('question').textContent = question(quiz, step);
  find('score').textContent = `${score.right} right, ${score.wrong} wrong${questions.length ? ` · ${Math.min(at + 1, questions.length)} of ${questions.length}` : ''}`;
  const isOpen = Boolean(step) && !done;
  const isTyped = isOpen && subject === 'quiz' && !step.cube;
  find('typing').hidden = !isTyped;
  find('solve').hidden = !isOpen;
  find('choices').replaceChildren(...(isOpen ? choicesOf(quiz, step) : []));
  find('choices').hidden = isTyped || !isOpen;
  find('further').textContent = isOpen ? 'Skip' : 'Next';
  find('further').disabled = !step;
  showGame((step || steps[current]).game, subject);
  if (!step) return;
  if (subject === 'letters' || done) showBoard(step);
  else board.show(step, '', sidesNow(step, entry));
  find('standing').textContent = boardWords(step);
}

/** @type {(quiz: Quiz, step: Step | undefined) => string} */
function question({ questions, subject }, step) {
  if (!questions.length) return subject === 'quiz' ? 'No mistakes found.' : 'No plays to ask about.';
  if (!step) return questions.length === 1 ? 'That was the only question.' : `That was the last of ${questions.length} questions.`;
  const who = step.players[step.player];
  if (subject === 'letters') return `${who} plays ${step.roll}: ${step.said}. Which letter?`;
  if (!step.cube) return `${who} to play ${step.roll}. Your play?`;
  return isAnswer(step) ? `${who} is offered the cube. Your answer?` : `${who} to roll. Your cube action?`;
}

function choicesOf(/** @type {Quiz} */ quiz, /** @type {Step} */ step) {
  const button = (/** @type {string} */ value, /** @type {Part} */ shown) => element('button', { className: 'choice', value }, shown);
  if (quiz.subject === 'letters') return (quiz.letters[step.id] ??= lettersOf(step, data.families, names)).map((key) => button(key, glyph(key)));
  if (!step.cube) return [];
  const acts = isAnswer(step) ? ['take', 'drop'] : ['no double', 'double'];
  return acts.map((act) => button(act, act));
}

/** Move a checker by one die, the higher one if both are legal. @type {(quiz: Quiz, step: Step, source: number) => void} */
function move(quiz, step, source) {
  const { entry } = quiz;
  const [hop] = hopsFrom(step, entry)(source);
  if (hop) entry.hops.push(hop);
  showQuestion(quiz);
  if (entry.hops.length && !hopsLeft(step, entry)) answerBoard(quiz, step, sidesNow(step, entry));
}

function onBoard(/** @type {MouseEvent} */ event) {
  const step = openQuestion();
  if (!asking || !step || asking.subject !== 'quiz' || !step.roll) return;
  const point = board.pointAt(event, step.player);
  if (point > 0 && sidesNow(step, asking.entry)[step.player][point]) move(asking, step, point);
  else if (point === -1 && !asking.entry.hops.length) asking.entry.swapped = !asking.entry.swapped;
}

// Answers

function answerBoard(/** @type {Quiz} */ quiz, /** @type {Step} */ step, /** @type {Sides} */ sides) {
  const reached = String(sides);
  answerPlay(quiz, step, step.plays.find(({ said }) => String(played(step.board.sides, step.player, said)) === reached), 'that');
}

function answerText(/** @type {Quiz} */ quiz, /** @type {Step} */ step, /** @type {string} */ text) {
  const typed = text.trim().replace(/^([1-6])-?([1-6])(?!\/)[-:\s]*(?=\S)/, '');
  const { board: { sides: start }, player, roll, plays, legal = '' } = step;
  if (!typed) return;
  if (/[0-9a-z]\/[0-9a-z]/i.test(typed)) {
    const reached = played(start, player, typed.toLowerCase());
    const isLegal = waysToPlay(start, player, diceOf(roll)).some(({ sides }) => String(sides) === String(reached));
    if (isLegal) answerBoard(quiz, step, reached);
    else report(`${typed} is not a play of ${roll}. This does not count.`);
    return;
  }
  const play = plays.find(({ name }) => isSpelling(typed, name))
    || plays.find(({ accepted }) => accepted.some((name) => isSpelling(typed, name)));
  if (!play && !mayBePlay(typed, legal)) report(`${typed} is not a play of ${roll}. This does not count.`);
  else answerPlay(quiz, step, play, typed);
}

/** @type {(...words: Part[]) => void} */
const report = (...words) => find('verdict').replaceChildren(...words);

/** @type {(quiz: Quiz, step: Step, play: Play | undefined, answer: string) => void} */
function answerPlay(quiz, step, play, answer) {
  const [best] = step.plays;
  const right = ['Best is ', glyph(best.name), ` ${best.said}.`];
  if (!play) finish(quiz, step, false, `No: ${answer} isn't among the top plays. `, ...right);
  else if (play.loss <= 0) finish(quiz, step, true, 'Right: ', glyph(play.name), ` ${play.said}.`);
  else finish(quiz, step, play.isClose, play.isClose ? 'Close: ' : 'No: ', glyph(play.name), ` ${play.said} loses ${points(play.loss)}. `, ...right);
}

function answerChoice(/** @type {Quiz} */ quiz, /** @type {Step} */ step, /** @type {string} */ choice) {
  const { name = '', cube } = step;
  if (!cube) {
    const [word, meaning] = family(name);
    const isRight = choice === familyOf(name);
    finish(quiz, step, isRight, isRight ? 'Right: ' : 'No, it is ', glyph(name), `, ${word}. ${meaning}`);
    return;
  }
  const isRight = (cube.choices || []).some(([name, , loss]) => !loss && name.split(',')[0] === choice);
  finish(quiz, step, isRight, isRight ? 'Right: ' : 'No. Best: ', `${cube.best}.`);
}

/** @type {(quiz: Quiz, step: Step, isRight: boolean, ...words: Part[]) => void} */
function finish(quiz, step, isRight, ...words) {
  score[isRight ? 'right' : 'wrong'] += 1;
  solve(quiz, step, element('b', { className: isRight ? 'right' : 'error' }, ...words));
}

/** @type {(quiz: Quiz, step: Step, ...words: Part[]) => void} */
function solve(quiz, step, ...words) {
  quiz.done = true;
  quiz.entry = newEntry();
  showStep(step);
  showQuestion(quiz);
  document.documentElement.classList.add('answered');
  report(...words);
  find('further').focus({ preventScroll: true });
}

/** Call a function with the quiz and its question, if there is one. @type {(does: (quiz: Quiz, step: Step) => void) => void} */
function withQuestion(does) {
  const step = openQuestion();
  if (asking && step) does(asking, step);
}

whenLeft(endQuiz);
find('board').addEventListener('click', onBoard);
find('typing').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  withQuestion((quiz, step) => answerText(quiz, step, find('answer').value));
});
find('choices').addEventListener('click', (/** @type {any} */ { target }) => {
  const choice = target.closest('button');
  if (choice) withQuestion((quiz, step) => answerChoice(quiz, step, choice.value));
});
find('undo').addEventListener('click', () => withQuestion((quiz) => {
  quiz.entry.hops.pop();
  showQuestion(quiz);
}));
find('solve').addEventListener('click', () => withQuestion((quiz, step) => solve(quiz, step, 'Not counted.')));
find('further').addEventListener('click', () => { if (asking) nextQuestion(asking); });
find('players').addEventListener('change', () => { if (asking) startQuiz(asking.subject, find('players').value); });
find('leave').addEventListener('click', () => go(current, { way: 'jump' }));
