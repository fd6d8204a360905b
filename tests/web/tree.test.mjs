// The lines of a game, as node sees them: node --test tests/web

import assert from 'node:assert/strict';
import test from 'node:test';
import { branches, textBefore } from '../../gnubg_nactation/playground/board/tree.js';

const turn = (text, player) => ({ roll: text.slice(0, 2), look: { name: text.slice(2) }, said: 'a play', token: text, player });
const turns = [turn('54S', 0), turn('63R', 1), turn('31P', 0)];

test('the text before a letter keeps the position and the player who begins', () => {
  assert.equal(textBefore({ turns, front: 0 }, '54S-63R-31P', 1), '54S-63');
  assert.equal(textBefore({ turns, front: 0 }, 'N 54S-63R-31P', 2), 'N 54S-63R-31');
  assert.equal(textBefore({ turns, front: 0 }, 'n54S-63R-31P', 1), 'n 54S-63');
  assert.equal(textBefore({ turns, front: 14 }, '4HPwATDgc/ABMA 54S-63R-31P', 1), '4HPwATDgc/ABMA 54S-63');
  assert.equal(textBefore({ turns: turns.slice(1), front: 0 }, '-63R-31P', 1), '-63R-31');
});

test('a line leaves another at the first turn that differs', () => {
  const lines = ['54S-63S-42P', '54Z', '54S-63R'];
  const found = branches({ turns }, '54S-63R-31P', lines);
  assert.deepEqual([...found], [[1, [['54S-63S-42P', '63S-42P']]], [0, [['54Z', '54Z']]], [2, [['54S-63R', '']]]]);
});
