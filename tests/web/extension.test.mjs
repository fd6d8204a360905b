// What the extension reads of a page: node --test tests/web

import assert from 'node:assert/strict';
import test from 'node:test';
import { isCandidate, placesOf, slicesOf } from '../../gnubg_nactation/playground/extension/collect.js';

test('places that count characters become those of a text with emoji', () => {
  const text = '\u{1f600}\u{1f3b2} 54S \ud83d 63R';
  const placeOf = placesOf(text);
  for (const at of [text.indexOf('54S'), text.indexOf('63R')]) assert.equal(placeOf([...text.slice(0, at)].length), at);
});

test('no part of a long line is read twice', () => {
  const text = `A title\n${`${'word '.repeat(900)}54S-63R-31P `.repeat(30)}`;
  const slices = slicesOf(text);
  assert.ok(slices.reduce((sum, slice) => sum + slice.text.length, 0) <= text.length);
  assert.equal(slices.reduce((sum, slice) => sum + slice.text.split('54S-63R-31P').length - 1, 0), 30);
});

test('a message with its time alone changes nothing', () => {
  for (const text of ['Bob, 12:34', '1:23:45 PM: hello', 'hello']) assert.equal(isCandidate(text), false, text);
  for (const text of ['12:34 54S', '54', '3:31P', 'P is good']) assert.equal(isCandidate(text), true, text);
});
