// The model of the page of a match, made of the data of an analysed one.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { positionIdOf, xgidOf } from '../../gnubg_nactation/web/kit/game.js';
import { equityOf, isMistake, madeOf, rowsOf, stepsOf } from '../../gnubg_nactation/web/kit/model.js';

const read = (name) => JSON.parse(readFileSync(`${process.env.CASES}/${name}.json`, 'utf-8'));
const turnsOf = (steps) => steps.filter(({ on_cube: onCube }) => !onCube);
const steps = stepsOf(read('match-3pt-analysed.sgf'));
const turns = turnsOf(steps);

test('tables by columns are rows again', () => {
  assert.deepEqual(rowsOf({ a: [1, null], b: [null, 0] }), [{ a: 1 }, { b: 0 }]);
  assert.deepEqual(rowsOf({}), []);
});

test('each turn has its board and its nacbrac', () => {
  for (const [name, cases] of Object.entries(read('cases').steps)) {
    const ours = turnsOf(stepsOf(read(name))).filter(({ board }) => board);
    assert.deepEqual(ours.map((turn) => (
      { id: turn.id, xgid: xgidOf(turn), position: positionIdOf(turn), nacbrac: turn.nacbrac || '' })), cases, name);
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
