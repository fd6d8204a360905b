// The kit against Python: `test_scripts.py` writes the cases.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { arrowsOf } from '../../gnubg_nactation/web/kit/arrows.js';
import { Board } from '../../gnubg_nactation/web/kit/board.js';
import { diceLeft, hopsFrom, hopsLeft, newEntry, sidesNow } from '../../gnubg_nactation/web/kit/entry.js';
import { diceOf, parseXgid, played, positionIdOf, standing, waysToPlay, xgidOf } from '../../gnubg_nactation/web/kit/game.js';
import { boardWords, signed } from '../../gnubg_nactation/web/kit/words.js';
import { answerOf, formatSide, holder, moved, parseSetup, parseSide, spare, withFields, withSide } from '../../gnubg_nactation/playground/board/setup.js';
import { boardText } from '../../gnubg_nactation/exports/page/post.js';

const { places, positions } = JSON.parse(readFileSync(`${process.env.CASES}/cases.json`, 'utf-8'));
const players = ['\u2068Ann\u2069', '\u2068Ben\u2069'];
const scenes = positions.map(({ xgid, player, roll, ...known }) => (
  { known: { ...known, xgid }, scene: { board: parseXgid(xgid.replace('XGID=', '')), player, roll, players } }));
const idAfter = ({ player }, sides) => positionIdOf({ board: { sides }, player: 1 - player });

test('nothing has no minus', () => {
  assert.deepEqual([-0.4, -0.6, 0, 76].map(signed), ['+.000', '−.001', '+.000', '+.076']);
});

test('IDs are written as they were read', () => {
  for (const { scene, known } of scenes) {
    assert.equal(xgidOf(scene), known.xgid);
    assert.equal(positionIdOf(scene), known.id);
  }
});

test('the legal plays reach the same positions', () => {
  for (const { scene, known } of scenes) {
    const ways = waysToPlay(scene.board.sides, scene.player, diceOf(scene.roll)).filter(({ hops }) => hops.length);
    assert.deepEqual([...new Set(ways.map(({ sides }) => idAfter(scene, sides)))].sort(), known.reached.sort(), known.xgid);
  }
});

test('a play in words reaches its position', () => {
  for (const { scene, known } of scenes.filter(({ known: { said } }) => said)) {
    assert.equal(idAfter(scene, played(scene.board.sides, scene.player, known.said)), known.after, known.said);
  }
});

test('arrows are those of the picture, but for the rounding of a half', () => {
  const board = Object.assign(Object.create(Board.prototype), { places, isFlipped: false });
  for (const { scene, known } of scenes.filter(({ known: { said } }) => said)) {
    const { shafts } = arrowsOf(board, known.said, scene.player, standing(scene));
    const numbers = shafts.match(/-?\d+/g).map(Number);
    assert.equal(numbers.length, known.arrows.length);
    numbers.forEach((number, at) => assert.ok(Math.abs(number - known.arrows[at]) <= 1, `${known.xgid} ${known.said}`));
  }
});

test('the board with characters is that of the program', () => {
  for (const { scene, known } of scenes) assert.ok(boardText(scene, standing(scene)).includes(known.diagram), known.xgid);
});

test('every legal play can be entered, hop by hop', () => {
  for (const { scene, known } of scenes.slice(0, 20)) {
    for (const { hops, sides } of waysToPlay(scene.board.sides, scene.player, diceOf(scene.roll))) {
      const entry = newEntry();
      for (const hop of hops) {
        const made = hopsFrom(scene, entry)(hop.source).find(({ die }) => die === hop.die);
        assert.ok(made, `${known.xgid} ${hop.source}/${hop.target}`);
        entry.hops.push(made);
      }
      assert.deepEqual(sidesNow(scene, entry), sides);
      assert.equal(hopsLeft(scene, entry), 0);
    }
  }
});

test('the lower die comes first where that is wanted, and each die once', () => {
  const scene = { board: parseXgid('-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10'), player: 0, roll: '31', players };
  assert.deepEqual(hopsFrom(scene, newEntry())(8).map(({ die }) => die), [3, 1]);
  const entry = { hops: [], swapped: true };
  assert.deepEqual(hopsFrom(scene, entry)(8).map(({ die }) => die), [1, 3]);
  entry.hops.push({ source: 8, target: 7, die: 1 });
  assert.deepEqual(diceLeft(scene, entry), [3]);
});

test('a board in words', () => {
  const board = parseXgid('--A---------------------b-:1:-1:1:00:0:0:0:0:10');
  assert.equal(boardWords({ board, player: 0, roll: '', players }), '\u2068Ann\u2069: 1 checker on the 2 point, 14 borne off; 2 pips. '
    + '\u2068Ben\u2069: 2 checkers on the 1 point, 13 borne off; 2 pips. The cube is at 2, with \u2068Ben\u2069.');
});

test('a side as text, and back', () => {
  const { sides } = parseSetup('XGID=ab---aE-C---eD---a-d---aBA:0:0:1:00:0:0:0:0:10');
  assert.equal(formatSide(sides[0]), 'bar 24(2) 13(4) 8(3) 6(5)');
  assert.equal(formatSide(sides[1]), 'bar 24(2) 20 13(5) 8 6(4) 2');
  for (const side of sides) assert.deepEqual(parseSide(formatSide(side)), side);
  assert.equal(formatSide(parseSide(' 6,BAR 6(2)')), 'bar 6(3)');
  for (const wrong of ['0', '25', '27', '6(', '-6', 'off', '6(2)(2)']) assert.throws(() => parseSide(wrong), /^Error: found .* expected points from 1 to 24 or bar/);
});

test('checkers are put, moved and removed', () => {
  const start = parseSetup('XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10');
  const after = (player, source, target) => answerOf({ ...start, sides: moved(start.sides, player, source, target) }).xgid;
  assert.equal(after(0, 6, 5), 'XGID=-b---AD-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10');
  assert.equal(after(1, 6, 0), 'XGID=-b----E-C---eE---c-d----B-:0:0:1:00:0:0:0:0:10');
  assert.equal(after(1, 13, 25), 'XGID=ab----E-C---dE---c-e----B-:0:0:1:00:0:0:0:0:10');
  assert.equal(after(0, 6, 1), 'XGID=-A----D-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10'); // Black's two are removed
  assert.deepEqual([6, 1, 2, 25].map((point) => holder(start.sides, point)), [0, 1, null, null]);
  assert.equal(spare(start.sides, 0), 0);
  assert.throws(() => withSide(start.sides, 0, '6(16)'), /found 16 checkers, but a player has 15/);
  assert.throws(() => withSide(start.sides, 0, '12'), /the opponent has the 12 point \(its 13 point\)/);
});

test('the fields of an edited position', () => {
  const start = parseSetup('-b----E-C---eE---c-e----B-:0:0:-1:13:0:0:1:0:10');
  assert.equal(answerOf(start).roll, '31');
  assert.equal(answerOf(start).player, 1);
  const match = withFields(start, { length: '7', dice: 'D' }); // which has no Jacoby rule
  assert.equal(answerOf(match).xgid, 'XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:0:7:10');
  assert.equal(answerOf(match).player, 0); // who answers
  for (const wrong of ['', '31P', 'XGID=-b----P-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10', 'XGID=-b----E-C---eE---c-e----B-:0:0:1:X:0:0:0:0:10']) assert.equal(parseSetup(wrong), null);
});

test('an edited position keeps all fields of its XGID', () => {
  let count = 0;
  for (const turn of ['1', '-1']) {
    for (const dice of ['00', '31', '13', '55', 'D', 'B', 'R']) {
      for (const rule of ['0', '1', '2', '3']) {
        for (const stakes of ['0:0:RULE:0:10', '2:1:RULE:0:3', '4:2:RULE:5:8']) {
          const xgid = `XGID=-b----E-C---eE---c-e----B-:2:1:${turn}:${dice}:${stakes.replace('RULE', rule)}`;
          assert.equal(answerOf(parseSetup(xgid)).xgid, xgid);
          count += 1;
        }
      }
    }
  }
  assert.equal(count, 168);
});

test('a beaver is answered by the doubler', () => {
  const offers = ['D', 'B', 'R'].map((dice) => {
    const setup = parseSetup(`XGID=-b----E-C---eE---c-e----B-:1:1:1:${dice}:0:0:3:0:10`);
    const { player, offered } = answerOf(setup);
    const { cube, doubled, jacoby } = standing({ board: setup, player, roll: '', players });
    return [player, offered, doubled, 2 * cube, jacoby];
  });
  assert.deepEqual(offers, [[1, true, true, 4, true], [0, true, true, 8, true], [1, true, true, 16, true]]);
});
