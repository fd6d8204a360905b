// The alphabet, which needs no Python, and questions for the letter of a play.

import { element, find } from './board.js';
import { button, field, glyph, small, trouble } from './parts.js';
import { ask, Stopped } from './python.js';
import { stage, words } from './stage.js';
import { leaveTyping } from './typing.js';

const COUNT = 12; // questions of a match
const data = JSON.parse(find('data').textContent);
const rows = data.alphabet.map((row) => ({ row, item: item(row) }));

function item(row) {
  const { looks, word, right, meaning, section, roll, said, key } = row;
  const head = element('span', { className: 'letters' }, ...looks.map(glyph));
  const made = button(() => pick(row), head,
    element('span', {}, element('b', {}, word), ` ${meaning} `, small(`${right}; tutorial, section ${section}. ${roll}${key}: ${said || 'no checker enters'}`)));
  made.dataset.key = key;
  return element('li', {}, made);
}

function pick(row) {
  for (const { item: one } of rows) one.firstChild.setAttribute('aria-pressed', String(one.firstChild.dataset.key === row.key));
  history.replaceState(null, '', `#alphabet=${encodeURIComponent(row.key)}`);
  stage(row, words({ ...row, look: row.looks[0], reading: row.said ? '' : 'no checker enters', token: row.roll + row.key }));
}

/** The view, with a character or what is searched for. */
export function openAlphabet(text) {
  leaveTyping();
  const exact = data.alphabet.find(({ key }) => key === text);
  field('search').value = exact ? '' : text;
  search();
  pick(exact || data.alphabet[0]);
  if (exact) rows.find(({ row }) => row === exact).item.scrollIntoView({ block: 'nearest' });
}

function search() {
  const wanted = field('search').value.trim();
  const low = wanted.toLowerCase();
  const ofCharacter = rows.filter(({ row }) => wanted.length < 3 && row.looks.some(({ name }) => name.toLowerCase().startsWith(low)));
  const hits = wanted && ofCharacter.length ? ofCharacter
    : rows.filter(({ row }) => `${row.word} ${row.meaning} ${row.right}`.toLowerCase().includes(low));
  find('families').replaceChildren(...hits.map((one) => one.item));
  find('count').textContent = wanted ? `${hits.length} of ${rows.length}` : `${rows.length} characters`;
}

// Which letter?

const quiz = { questions: [], right: 0, wrong: 0, done: false };

/** The view. */
export function openLetters() {
  leaveTyping();
  if (quiz.questions.length) showQuestion();
  else more();
}

async function more() {
  find('question').textContent = 'Looking for plays…';
  find('choices').replaceChildren();
  try {
    const name = data.samples[Math.floor(Math.random() * data.samples.length)];
    const response = await fetch(name);
    const { value, error } = await ask('letters', [Math.floor(1e9 * Math.random()), COUNT], await response.arrayBuffer());
    if (error) throw new Error(error);
    quiz.questions.push(...value);
    if (document.documentElement.dataset.view === 'letters') showQuestion();
  } catch (error) {
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
    const made = button(() => answer(look.name), glyph(look));
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

async function answer(given) {
  const [question] = quiz.questions;
  if (!question || quiz.done || !given.trim()) return;
  try {
    const { value, error } = await ask('judged', [question.xgid, question.roll, question.said, given]);
    if (error) throw new Error(error);
    quiz.done = true;
    // A button stands for a family, whatever the member.
    const right = value.verdict !== 'wrong' || given === question.right;
    quiz[right ? 'right' : 'wrong'] += 1;
    find('verdict').replaceChildren(element('b', { className: right ? 'right' : 'trouble' }, right ? 'Right: ' : 'No: '), value.explanation, '. ',
      small('All its names: ', ...value.names.flatMap((look) => [glyph(look), ' '])));
    showScore();
    find('next').focus({ preventScroll: true });
  } catch (error) {
    find('verdict').replaceChildren(trouble(error instanceof Stopped ? 'Python is not there.' : error.message));
  }
}

find('search').addEventListener('input', search);
find('searching').addEventListener('submit', (event) => event.preventDefault());
find('asking').addEventListener('submit', (event) => {
  event.preventDefault();
  answer(field('answer').value);
});
find('next').addEventListener('click', () => {
  quiz.questions.shift();
  showQuestion();
});
