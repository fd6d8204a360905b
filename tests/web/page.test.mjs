// The model of the page of a match, made of the data of an analysed one.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { positionIdOf, xgidOf } from '../../gnubg_nactation/web/kit/game.js';
import { equityOf, isMistake, madeOf, rowsOf, stepsOf } from '../../gnubg_nactation/exports/page/model.js';

const read = (name) => JSON.parse(readFileSync(`${process.env.CASES}/${name}.json`, 'utf-8'));
const steps = stepsOf(read('page'));
const turns = steps.filter(({ on_cube: onCube }) => !onCube);

test('tables by columns are rows again', () => {
  assert.deepEqual(rowsOf({ a: [1, null], b: [null, 0] }), [{ a: 1 }, { b: 0 }]);
  assert.deepEqual(rowsOf({}), []);
});

test('each turn has its board and its nacbrac', () => {
  const cases = read('cases').steps;
  assert.equal(cases.length, turns.length);
  for (const [at, known] of cases.entries()) {
    const { id, nacbrac } = turns[at];
    assert.deepEqual({ id, xgid: xgidOf(turns[at]), position: positionIdOf(turns[at]), nacbrac }, known);
  }
});

test('a decision about the cube comes before its roll, on the same board', () => {
  const place = steps.findIndex(({ on_cube: onCube }) => onCube);
  const [decision, turn] = steps.slice(place);
  assert.deepEqual([decision.id, decision.number, decision.roll], [`${turn.id}c`, turn.number, '']);
  assert.deepEqual(decision.board, turn.board);
});

test('equities are those of the first player, and losses those of the plays', () => {
  const judged = turns.filter(madeOf);
  assert.ok(judged.length > 20);
  for (const step of judged) {
    const { equity, loss } = madeOf(step);
    assert.equal(equityOf(step), (step.player ? -equity : equity) / 1000);
    assert.ok(Math.abs(step.plays[0].equity - loss - equity) <= 1);
    if (isMistake(step)) assert.ok(step.lost.some(([fault, size]) => fault || size === loss));
  }
});
