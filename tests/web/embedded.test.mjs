// The address of the small view.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embedAnchor, embedCode, readAnchor } from '../../gnubg_nactation/playground/embedded.js';

const START = '-b----E-C---eE---c-e----B-';
const turn = (fields, token, said) => ({ xgid: `XGID=${START}:${fields}`, token, said });
const read = (fields, said = '') => readAnchor(`#embed=31P&turns=${START}:${fields},P,${said}`);
const MONEY = '0:0:1:31:0:0:0:0:10';

test('turns are read as they were written', () => {
  const anchor = embedAnchor('54S-C, 1&2%', [turn('0:0:1:54:0:0:0:0:10', 'S', '24/20 13/8'), turn('0:0:-1:00:0:0:0:0:10', 'C', '')]);
  assert.doesNotMatch(anchor.slice(1), /["'<> #]/);
  assert.deepEqual(readAnchor(anchor), {
    text: '54S-C, 1&2%',
    turns: [
      { xgid: `XGID=${START}:0:0:1:54:0:0:0:0:10`, player: 0, roll: '54', token: 'S', said: '24/20 13/8' },
      { xgid: `XGID=${START}:0:0:-1:00:0:0:0:0:10`, player: 1, roll: '', token: 'C', said: '' },
    ],
  });
});

test('an offered double is answered by the other player', () => {
  assert.equal(read('0:0:1:D:0:0:0:0:10').turns[0].player, 1);
  assert.equal(read('0:0:-1:D:0:0:0:0:10').turns[0].player, 0);
});

test('what is no turn is refused', () => {
  assert.ok(read(MONEY, '8%2F5%206%2F5'));
  for (const said of ['8%2F5%203%2F1', '8/26', '8/5(5)', '8', 'x/5', '8/5%20', 'bar/22', ',8/5', '%E0%A4%A']) assert.equal(read(MONEY, said), null, said);
  for (const fields of ['0:0:1:71:0:0:0:0:10', '0:0:2:31:0:0:0:0:10', '0:0:1:31:0:0:0:0', `${MONEY}<b>`, '']) assert.equal(read(fields), null, fields);
  const sixteen = `-b----E-C---eE---c-e----C-:${MONEY}`;
  for (const anchor of ['', '#embed=31P', '#embed=31P&turns=', `#embed=31P&turns=${sixteen}`, `#embed=%&turns=${START}:${MONEY}`, `#s=31P&turns=${START}:${MONEY}`]) assert.equal(readAnchor(anchor), null, anchor);
  assert.equal(readAnchor(`#embed=a&turns=${START}:${MONEY},${'P'.repeat(41)}`), null);
  const many = (count) => readAnchor(`#embed=a&turns=${Array(count).fill(`${START}:${MONEY},P`).join(';')}`);
  assert.equal(many(300).turns.length, 300);
  assert.equal(many(301), null);
});

test('the code of a frame is escaped', () => {
  assert.match(embedCode('a?b&c', '"><script>'), /^<iframe src="a\?b&amp;c" title="Backgammon: &quot;&gt;&lt;script&gt;" [^<>]*><\/iframe>$/);
});
