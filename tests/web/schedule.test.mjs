// When the questions of the openings come again. Days are numbers: nothing depends on the clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, countsOf, dayOf, formatProgress, nextQuestion, parseProgress } from '../../gnubg_nactation/playground/learn/schedule.js';

const QUESTIONS = ['31', '42', '61', '31P-42', '31P-42 dmp'];
const none = () => parseProgress('');

test('right answers come again after 1, 3, 7, 16 and 35 days', () => {
  let [progress, day] = [none(), 20000];
  for (const interval of [1, 3, 7, 16, 35, 35]) {
    progress = answered(progress, '31', true, day);
    assert.equal(progress.get('31').due - day, interval);
    assert.equal(countsOf(['31'], progress, day).due, 0);
    assert.equal(countsOf(['31'], progress, day + interval - 1).due, 0);
    day += interval;
    assert.equal(countsOf(['31'], progress, day).due, 1);
  }
  assert.equal(countsOf(['31'], progress, day).learnt, 1);
  progress = answered(progress, '31', false, day);
  assert.deepEqual(countsOf(['31'], progress, day), { due: 1, fresh: 0, learnt: 0 });
  assert.equal(answered(progress, '31', true, day).get('31').due, day + 1);
});

test('what was wrong comes again in the same session, after three others', () => {
  let progress = none();
  const asked = [];
  for (let count = 0; count < 6; count += 1) {
    const question = nextQuestion(QUESTIONS, progress, 7, asked);
    progress = answered(progress, question, count > 0, 7); // only the first answer is wrong
    asked.push(question);
  }
  assert.deepEqual([...new Set(asked.slice(0, 4))], asked.slice(0, 4));
  assert.equal(asked[4], asked[0]);
  assert.deepEqual([...asked].sort(), [...QUESTIONS, asked[0]].sort());
  assert.equal(nextQuestion(QUESTIONS, progress, 7, asked), null);
  assert.notEqual(nextQuestion(QUESTIONS, progress, 8, asked), null);
});

test('with one question, the wrong answer is asked again at once', () => {
  const progress = answered(none(), '31', false, 7);
  assert.equal(nextQuestion(['31'], progress, 7, ['31']), '31');
});

test('due questions come before new ones, the longest first', () => {
  let progress = answered(answered(none(), '61', true, 8), '42', true, 5);
  assert.equal(nextQuestion(QUESTIONS, progress, 9, []), '42');
  progress = answered(progress, '42', true, 9);
  assert.equal(nextQuestion(QUESTIONS, progress, 9, ['42']), '61');
  progress = answered(progress, '61', true, 9);
  assert.ok(!progress.has(nextQuestion(QUESTIONS, progress, 9, ['42', '61'])));
});

test('progress survives as text', () => {
  const progress = answered(answered(none(), '31P-42 dmp', true, 20000), '21$-64', false, 20001);
  assert.deepEqual(parseProgress(formatProgress(progress)), progress);
});

test('damaged progress is left out', () => {
  for (const text of ['', '{', 'null', '[]', '7', '"x"', '{"version":2,"cards":{"31":[1,2]}}', '{"version":1}', '{"version":1,"cards":null}', '{"version":1,"cards":3}']) {
    assert.equal(parseProgress(text).size, 0, text);
  }
  const cards = { 31: [1, 20000], 42: [9, 1], 61: 'x', 53: [1], 64: [1.5, 3], 65: [-1, 3], 41: [1, '3'], 21: null };
  assert.deepEqual([...parseProgress(JSON.stringify({ version: 1, cards })).keys()], ['31']);
});

test('a day from a clock that was wrong does not hide a question', () => {
  const progress = answered(none(), '31', true, 90000);
  assert.equal(countsOf(['31'], progress, 20000).due, 1);
});

test('a flight west, back to the day before, asks nothing again', () => {
  let progress = none();
  for (let box = 1; box <= 5; box += 1) {
    progress = answered(progress, '31', true, 20001);
    assert.equal(countsOf(['31'], progress, 20000).due, 0, `box ${box}`);
  }
});

test('a day begins at midnight of the local calendar', () => {
  const at = (hour, offset) => ({ getTime: () => Date.UTC(2026, 10, 23, hour), getTimezoneOffset: () => offset });
  assert.equal(dayOf(at(0, 0)), 20780);
  assert.equal(dayOf(at(23, 0)), 20780);
  assert.equal(dayOf(at(23, -60)), 20781); // one hour east, the next day
  assert.equal(dayOf(at(2, 300)), 20779); // five hours west, the day before
});

test('what was wrong comes after three others, whatever has waited longer', () => {
  const all = ['31', '42', '53', '61', '21', '65'];
  let progress = new Map(all.map((question) => [question, { box: 1, due: 3 }]));
  const asked = [nextQuestion(all, progress, 9, [])];
  progress = answered(progress, asked[0], false, 9);
  for (let count = 0; count < 4; count += 1) {
    asked.push(nextQuestion(all, progress, 9, asked));
    if (count < 3) progress = answered(progress, asked.at(-1), true, 9);
  }
  assert.equal(asked[4], asked[0]);
  assert.equal(new Set(asked).size, 4);
});
