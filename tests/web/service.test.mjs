// The service worker with a cache that does not answer, as Firefox had beside much other work.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';

const SCRIPT = new URL('../../gnubg_nactation/playground/service.js', import.meta.url);
const FILES = ['a.js', 'b.js', 'c.js'];

/** The worker; `answerOf` asks it for a file, and `waits` are the seconds after which it went on. */
function worker(open) {
  const heard = {};
  const waits = [];
  const place = {
    URL,
    location: { href: 'https://a.example/page/service.js' },
    self: { addEventListener: (kind, does) => { heard[kind] = does; } },
    caches: { open },
    fetch: async ({ url }) => ({ ok: true, from: url, clone: () => ({}) }),
    setTimeout: (does, time) => setTimeout(() => { waits.push(time / 1000); does(); }),
    clearTimeout,
  };
  vm.runInNewContext(readFileSync(SCRIPT, 'utf-8').replace('[/* files */]', JSON.stringify(FILES)), place);
  const answerOf = (file) => new Promise((resolve) => {
    const request = { method: 'GET', mode: 'no-cors', url: `https://a.example/page/${file}`, headers: new Map() };
    heard.fetch({ request, respondWith: (answer) => resolve(answer) });
  });
  return { answerOf, waits };
}

test('a cache that does not answer is waited for once', async () => {
  const { answerOf, waits } = worker(() => new Promise(() => {}));
  for (const file of FILES) assert.match((await answerOf(file)).from, new RegExp(`${file}$`));
  assert.deepEqual(waits, [10, 0, 0, 0, 0, 0]); // to look a file up, and to keep it
});

test('a file is fetched if the cache fails', async () => {
  const fails = async () => { throw new Error('no disk'); };
  for (const open of [fails, async () => ({ match: fails, put: fails })]) {
    const { answerOf } = worker(open);
    assert.match((await answerOf('a.js')).from, /a\.js$/);
  }
});

test('a slow download does not make the cache deaf', async () => {
  const kept = { match: async () => undefined, put: () => new Promise(() => {}) };
  const { answerOf, waits } = worker(async () => kept);
  for (const file of FILES) assert.match((await answerOf(file)).from, new RegExp(`${file}$`));
  assert.deepEqual(waits, [10, 10, 10]); // to keep each of them
});

test('a cache that answers again is waited for', async () => {
  let answers = () => {};
  const kept = { match: async () => 'kept', put: async () => {} };
  const { answerOf, waits } = worker(() => new Promise((resolve) => { answers = () => resolve(kept); }));
  assert.match((await answerOf('a.js')).from, /a\.js$/);
  answers();
  await new Promise((resolve) => { setTimeout(resolve); });
  waits.length = 0;
  assert.match((await answerOf('b.js')).from, /b\.js$/);
  assert.deepEqual(waits, [10, 0]);
});
