// The alphabet, which needs no Python, and questions for the letter of a play.

import { element, find, glyphOf, press, small } from '../web/kit/dom.js';
import { recall, store } from '../web/kit/storage.js';
import { data } from './data.js';
import { button, field, trouble } from './parts.js';
import { ask, Stopped } from './python.js';
import { stage, words } from './stage.js';
import { leaveTyping } from './typing.js';
import { addView } from './views.js';

const COUNT = 12; // questions of a match
const TRIES = 4; // matches that are looked through for plays of some letters
const OPENINGS = 'PDRSZ$'; // with which most openings are played
const rows = data.alphabet.map((row) => ({ row, item: item(row), said: plain(saidOf(row)) }));

/** What the browser keeps for the next visit; another playground of the host keeps its own. @type {(name: string) => string} */
const keyOf = (name) => `nactation ${new URL('..', import.meta.url).pathname} ${name}`;

// How far one has read: the tutorial's section in which a character comes first.

/** @type {(row: Family) => number} */
const sectionOf = ({ section }) => parseInt(section, 10);
const upTo = (/** @type {number} */ section) => data.alphabet.filter((row) => sectionOf(row) <= section);

/** A menu of how many characters are wanted; the value is a section, or nothing for all. @type {(id: string, first: string, change: () => void) => void} */
function levels(id, first, change) {
  const menu = /** @type {HTMLSelectElement} */ (find(id));
  const sections = [...new Set(data.alphabet.map(sectionOf))].sort((a, b) => a - b).slice(0, -1);
  menu.append(...sections.map((section, at) => element('option', { value: String(section) },
    at ? `up to section ${section}: ${upTo(section).length}` : `the first ${upTo(section).length}`)),
  element('option', { value: '' }, `all ${data.alphabet.length}`));
  const before = recall(keyOf(id));
  menu.value = before === 'all' ? '' : before || first;
  if (menu.selectedIndex < 0) menu.value = first;
  menu.addEventListener('change', () => {
    store(keyOf(id), menu.value || 'all');
    change();
  });
}

/** @type {(id: string, row: Family) => boolean} */
const isWithin = (id, row) => !field(id).value || sectionOf(row) <= Number(field(id).value);

// The alphabet

function item(/** @type {Family} */ row) {
  const { looks, word, right, meaning, section, roll, said, key } = row;
  const head = element('span', { className: 'letters' }, ...looks.map(glyphOf));
  const made = button(() => pick(row), head,
    element('span', {}, element('b', {}, word), ` ${meaning} `, small(`${right}; tutorial, section ${section}. ${roll}${key}: ${said || 'no checker enters'}`)));
  made.dataset.key = key;
  return element('li', {}, made);
}

function pick(/** @type {Family} */ row) {
  history.replaceState(null, '', `#alphabet=${encodeURIComponent(row.key)}`);
  showRow(row);
}

function showRow(/** @type {Family} */ row) {
  for (const { item: one } of rows) press(one.firstChild, one.firstChild.dataset.key === row.key);
  stage(row, words({ ...row, look: row.looks[0], reading: row.said ? '' : 'no checker enters', token: row.roll + row.key }));
}

/** The view, with a character or what is searched for. @type {(text: string) => void} */
function openAlphabet(text) {
  leaveTyping();
  const exact = data.alphabet.find(({ key }) => key === text);
  field('search').value = exact ? '' : text;
  if (exact && !isWithin('scope', exact)) field('scope').value = '';
  search();
  if (exact || !text) pick(exact || data.alphabet[0]);
  else showRow(data.alphabet[0]);
  rows.find(({ row }) => row === exact)?.item.scrollIntoView();
}

/** @type {(row: Family) => string} */
function saidOf({ key, word, meaning, right }) {
  return `${word} ${meaning} ${right}${OPENINGS.includes(key) ? ' opening' : ''}`;
}

/** Words with a blank before each. @type {(text: string) => string} */
function plain(text) {
  return ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, ' ').trim()}`;
}

const CUBE = plain('cube double redouble take pass drop').split(' ').filter(Boolean);

/** Whether a character is spelt as what is typed, or with the mark that is typed alone. @type {(row: Family, low: string) => boolean} */
function isSpelt(row, low) {
  if (low === '.' || low === '_') return row.key.includes(low);
  return row.looks.some(({ name }) => name.toLowerCase().startsWith(low));
}

function search() {
  const wanted = field('search').value.trim();
  const low = wanted.toLowerCase();
  const within = rows.filter(({ row }) => isWithin('scope', row));
  const parts = plain(low).split(' ').filter(Boolean);
  const spelt = wanted && wanted.length < 3 ? within.filter(({ row }) => isSpelt(row, low)) : [];
  /** @type {(row: {said: string}) => boolean} */
  const isWord = ({ said }) => (parts.length > 0 || !wanted) && parts.every((part) => said.includes(` ${part}`));
  const hits = spelt.length ? spelt : within.filter(isWord);
  find('families').replaceChildren(...hits.map((one) => one.item));
  find('count').textContent = wanted ? `${hits.length} of ${within.length}` : `${within.length} characters`;
  find('cubes').hidden = !parts.some((part) => part.length > 2 && CUBE.some((word) => word.startsWith(part)));
}

// Which letter?

const [RIGHT, WRONG] = recall(keyOf('score')).split(' ').map(Number);
/** @type {{questions: LetterQuestion[], right: number, wrong: number, done: boolean, round: number}} */
const quiz = { questions: [], right: RIGHT || 0, wrong: WRONG || 0, done: false, round: 0 };

/** The view. */
function openLetters() {
  leaveTyping();
  if (quiz.questions.length) showQuestion();
  else more();
}

function chosenKeys() {
  return field('level').value ? upTo(Number(field('level').value)).map(({ key }) => key) : [];
}

/** Questions about one of the samples; with few letters there may be none in it. @type {() => Promise<LetterQuestion[]>} */
async function questions() {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const name = data.samples[Math.floor(Math.random() * data.samples.length)];
    const response = await fetch(name);
    const { value, error } = await ask('letters', [Math.floor(1e9 * Math.random()), COUNT, chosenKeys()], await response.arrayBuffer());
    if (error) throw new Error(error);
    if (value.length) return value;
  }
  throw new Error('No play with one of these letters was found; Next looks again.');
}

async function more() {
  const round = quiz.round += 1;
  quiz.done = true; // there is nothing to answer
  find('question').textContent = 'Looking for plays…';
  find('choices').replaceChildren();
  find('verdict').replaceChildren();
  showScore();
  try {
    const found = await questions();
    if (round !== quiz.round) return;
    quiz.questions = found;
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
  find('choices').replaceChildren(...question.choices.map((look) => {
    const made = button(() => answer(look.name), glyphOf(look));
    made.dataset.choice = look.name;
    return made;
  }));
  field('answer').value = '';
  find('verdict').replaceChildren();
  showScore();
  stage(question, words(question));
}

function showScore() {
  find('score').textContent = `${quiz.right} right, ${quiz.wrong} wrong`;
}

function count(/** @type {'right' | 'wrong'} */ name) {
  quiz[name] += 1;
  keepScore();
}

function keepScore() {
  store(keyOf('score'), `${quiz.right} ${quiz.wrong}`);
  showScore();
}

/** Say at the letters which was chosen and which is right, not by colour alone. @type {(given: string, right: string) => void} */
function markChoices(given, right) {
  for (const one of find('choices').querySelectorAll('button')) {
    const { choice } = one.dataset;
    const said = choice === right ? 'right' : choice === given ? 'chosen' : '';
    if (!said) continue;
    one.classList.add(said);
    one.append(small(said));
  }
}

/** What a wrong letter says of this roll. @type {(question: LetterQuestion, given: string, would: string) => string} */
function instead({ roll }, given, would) {
  const named = /^[1-6]{2}/.test(given) ? given : `${roll}${/^[a-z]{2}/i.test(given) ? '-' : ''}${given}`;
  return would ? `${named} would be ${would}. ` : `${named} means nothing here. `;
}

async function answer(/** @type {string} */ typed) {
  const [question] = quiz.questions;
  const given = typed.trim();
  if (!question || quiz.done || !given) return;
  quiz.done = true;
  try {
    const { value, error } = await ask('check_answer', [question.xgid, question.roll, question.said, given]);
    if (error) throw new Error(error);
    if (question !== quiz.questions[0]) return;
    // A button stands for a family, whatever the member.
    const right = value.verdict !== 'wrong' || given === question.right;
    count(right ? 'right' : 'wrong');
    markChoices(given, question.right);
    find('verdict').replaceChildren(element('b', { className: right ? 'right' : 'trouble' }, right ? 'Right: ' : 'No: '), value.explanation, '. ',
      ...(right ? [] : [instead(question, given, value.would)]),
      small('All its names: ', ...value.names.flatMap((/** @type {Look} */ look) => [glyphOf(look), ' '])));
    find('next').focus({ preventScroll: true });
  } catch (error) {
    quiz.done = false;
    find('verdict').replaceChildren(trouble(error instanceof Stopped ? 'Python is not there.' : `${error.message}; this is not counted.`));
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
find('searching').addEventListener('submit', (/** @type {Event} */ event) => event.preventDefault());
find('asking').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  answer(field('answer').value);
});
find('next').addEventListener('click', () => {
  quiz.questions.shift();
  showQuestion();
});
find('afresh').addEventListener('click', () => {
  [quiz.right, quiz.wrong] = [0, 0];
  keepScore();
});
