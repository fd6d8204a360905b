// The alphabet, which needs no Python, and a quiz on the letters of plays.

import { element, find, glyphOf, press, small } from '../../web/kit/dom.js';
import { recall, store } from '../../web/kit/storage.js';
import { data } from '../data.js';
import { button, field, keyOf, onSubmit, trouble } from '../parts.js';
import { ask, Stopped } from '../python.js';
import { stage, words } from '../stage.js';
import { leaveTyping } from '../board/typing.js';
import { addView } from '../views.js';

const COUNT = 12; // questions from one match
const TRIES = 4; // matches searched for plays with the chosen letters
const OPENINGS = 'PDRSZ$'; // the letters of most openings
const rows = data.alphabet.map((family) => ({ family, item: item(family), text: plain(textOf(family)) }));

/** The section of the tutorial that introduces a character. @type {(family: Family) => number} */
const sectionOf = ({ section }) => parseInt(section, 10);
const upTo = (/** @type {number} */ section) => data.alphabet.filter((family) => sectionOf(family) <= section);

/** A menu of levels; the value is the last section of the level, or empty for all. @type {(id: string, first: string, change: () => void) => void} */
function levels(id, first, change) {
  const menu = /** @type {HTMLSelectElement} */ (find(id));
  const sections = [...new Set(data.alphabet.map(sectionOf))].sort((a, b) => a - b).slice(0, -1);
  menu.append(...sections.map((section, at) => element('option', { value: String(section) },
    at ? `${upTo(section).length} letters, up to section ${section}` : `the first ${upTo(section).length} letters`)),
  element('option', { value: '' }, `all ${data.alphabet.length} letters`));
  const stored = recall(keyOf(id));
  menu.value = stored === 'all' ? '' : stored || first;
  if (menu.selectedIndex < 0) menu.value = first;
  menu.addEventListener('change', () => {
    store(keyOf(id), menu.value || 'all');
    change();
  });
}

/** @type {(id: string, family: Family) => boolean} */
const isWithin = (id, family) => !field(id).value || sectionOf(family) <= Number(field(id).value);

// The alphabet

function item(/** @type {Family} */ family) {
  const { looks, word, right, meaning, section, roll, said, key } = family;
  const head = element('span', { className: 'letters' }, ...looks.map(glyphOf));
  return element('li', {}, Object.assign(button(() => pick(family), head,
    element('span', {}, element('b', {}, word), ` ${meaning} `, element('br', {}), `${roll}${key}: ${said || 'no checker enters'} `, small(`${right}; tutorial, section${section.includes(',') ? 's' : ''} ${section}`))), { value: key }));
}

function pick(/** @type {Family} */ family) {
  history.replaceState(null, '', `#alphabet=${encodeURIComponent(family.key)}`);
  showFamily(family);
}

function showFamily(/** @type {Family} */ family) {
  for (const row of rows) press(row.item.firstChild, row.family.key === family.key);
  stage(family, words({ ...family, look: family.looks[0], reading: family.said ? '' : 'no checker enters', token: family.roll + family.key }));
}

/** Open the view with a character, or search for a text. @type {(text: string) => void} */
function openAlphabet(text) {
  leaveTyping();
  const exact = data.alphabet.find(({ key }) => key === text);
  field('search').value = exact ? '' : text;
  if (exact && !isWithin('scope', exact)) field('scope').value = '';
  search();
  if (exact || !text) pick(exact || data.alphabet[0]);
  else showFamily(data.alphabet[0]);
  rows.find(({ family }) => family === exact)?.item.scrollIntoView();
}

/** @type {(family: Family) => string} */
function textOf({ key, word, meaning, right }) {
  return `${word} ${meaning} ${right}${OPENINGS.includes(key) ? ' opening' : ''}`;
}

/** The words of a text in small letters, a blank before each. @type {(text: string) => string} */
function plain(text) {
  return ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, ' ').trim()}`;
}

const CUBE = plain('cube double redouble take pass drop').split(' ').filter(Boolean);

/** Whether a spelling of a character begins with a text, or has the mark `.` or `_`. @type {(family: Family, low: string) => boolean} */
function isSpelt(family, low) {
  if (low === '.' || low === '_') return family.key.includes(low);
  return family.looks.some(({ name }) => name.toLowerCase().startsWith(low));
}

function search() {
  const low = field('search').value.trim().toLowerCase();
  const within = rows.filter(({ family }) => isWithin('scope', family));
  const parts = plain(low).split(' ').filter(Boolean);
  const spelt = low && low.length < 3 ? within.filter(({ family }) => isSpelt(family, low)) : [];
  /** @type {(row: {text: string}) => boolean} */
  const hasWords = ({ text }) => (parts.length > 0 || !low) && parts.every((part) => text.includes(` ${part}`));
  const hits = spelt.length ? spelt : within.filter(hasWords);
  find('families').replaceChildren(...hits.map((row) => row.item));
  find('count').textContent = low ? `${hits.length} of ${within.length}` : `${within.length} characters`;
  find('cubes').hidden = !parts.some((part) => part.length > 2 && CUBE.some((word) => word.startsWith(part)));
}

// Which letter?

const [RIGHT, WRONG] = recall(keyOf('score')).split(' ').map(Number);
/** @type {{questions: LetterQuestion[], right: number, wrong: number, done: boolean, round: number}} */
const quiz = { questions: [], right: RIGHT || 0, wrong: WRONG || 0, done: false, round: 0 };

function openLetters() {
  leaveTyping();
  if (quiz.done) quiz.questions.shift(); // it was answered
  if (quiz.questions.length) showQuestion();
  else more();
}

/** Questions from a random sample; one without plays of the chosen letters is skipped. @type {() => Promise<LetterQuestion[]>} */
async function questions() {
  const keys = field('level').value ? upTo(Number(field('level').value)).map(({ key }) => key) : [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const name = data.samples[Math.floor(Math.random() * data.samples.length)];
    const response = await fetch(name);
    const found = await ask('letters', [Math.floor(1e9 * Math.random()), COUNT, keys], await response.arrayBuffer());
    if (found.length) return found;
  }
  throw new Error('No play with these letters was found. Press Next to search again.');
}

async function more() {
  const round = quiz.round += 1;
  quiz.done = true; // nothing to answer yet
  find('question').textContent = 'Looking for plays…';
  find('choices').replaceChildren();
  find('verdict').replaceChildren();
  showScore();
  try {
    const next = await questions();
    if (round !== quiz.round) return;
    quiz.questions = next;
    if (document.documentElement.dataset.view === 'letters') showQuestion();
  } catch (error) {
    if (round !== quiz.round) return;
    find('question').replaceChildren(error instanceof Stopped ? 'Python is not ready yet.' : trouble(error.message));
  }
}

function showQuestion() {
  const [question] = quiz.questions;
  if (!question) {
    more();
    return;
  }
  quiz.done = false;
  find('question').textContent = `${question.roll}: ${question.said}. Which letter?`;
  find('choices').replaceChildren(...question.choices.map((look) => Object.assign(button(() => answer(look.name, true), glyphOf(look)), { value: look.name })));
  field('answer').value = '';
  find('verdict').replaceChildren();
  showScore();
  stage(question, words(question));
}

function showScore() {
  find('score').textContent = `${quiz.right} right, ${quiz.wrong} wrong`;
}

function keepScore() {
  store(keyOf('score'), `${quiz.right} ${quiz.wrong}`);
  showScore();
}

/** Mark the right letter and the chosen one, not by colour alone. @type {(chosen: string, right: string) => void} */
function markChoices(chosen, right) {
  for (const made of find('choices').querySelectorAll('button')) {
    const label = made.value === right ? 'right' : made.value === chosen ? 'chosen' : '';
    if (!label) continue;
    made.classList.add(label);
    made.append(small(label));
  }
}

/** Why a letter is wrong, and the play that it would name. @type {(question: LetterQuestion, letter: string, clause: string, play: string) => string} */
function wrongLetter({ roll }, letter, clause, play) {
  const token = /^[1-6]{2}/.test(letter) ? letter : `${roll}${/^[a-z]{2}/i.test(letter) ? '-' : ''}${letter}`;
  return `${clause[0].toUpperCase()}${clause.slice(1)}. ${token} ${play ? `would be ${play}` : 'names no play here'}. `;
}

/** Judge a letter; that of a button means its family, whatever the member. @type {(typed: string, isFamily?: boolean) => Promise<void>} */
async function answer(typed, isFamily = false) {
  const [question] = quiz.questions;
  const letter = typed.trim();
  if (!question || quiz.done || !letter) return;
  quiz.done = true;
  try {
    const { verdict, explanation, would, clause, names } = await ask('check_answer', [question.xgid, question.roll, question.said, letter]);
    if (question !== quiz.questions[0]) return;
    const isRight = verdict !== 'wrong' || (isFamily && letter === question.right);
    quiz[isRight ? 'right' : 'wrong'] += 1;
    keepScore();
    markChoices(letter, question.right);
    find('verdict').replaceChildren(element('b', { className: isRight ? 'right' : 'trouble' }, isRight ? 'Right: ' : 'Wrong: '), explanation, '. ',
      ...(isRight ? [] : [wrongLetter(question, letter, clause, would)]),
      small('All names of this play: ', ...names.flatMap((/** @type {Look} */ look) => [glyphOf(look), ' '])));
    find('next').focus({ preventScroll: true });
  } catch (error) {
    quiz.done = false;
    find('verdict').replaceChildren(trouble(error instanceof Stopped ? 'Python could not be loaded.' : `${error.message}; this does not count.`));
  }
}

addView('alphabet', 'alphabet', openAlphabet);
addView('letters', 'letters', openLetters, true);
levels('scope', '', search);
levels('level', String(Math.min(...data.alphabet.map(sectionOf))), () => {
  quiz.questions = [];
  more();
});
find('search').addEventListener('input', search);
onSubmit('searching');
onSubmit('asking', () => answer(field('answer').value));
find('next').addEventListener('click', () => {
  quiz.questions.shift();
  showQuestion();
});
find('reset').addEventListener('click', () => {
  [quiz.right, quiz.wrong] = [0, 0];
  keepScore();
});
