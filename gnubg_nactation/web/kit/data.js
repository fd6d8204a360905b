// The data of the page: JSON, deflated, in base64.

import { element, find, query } from './dom.js';

export const canUnpack = typeof DecompressionStream !== 'undefined';

/** Unpack them; never resolves in a browser that is too old. @type {() => Promise<any>} */
export async function unpackedData() {
  if (!canUnpack) {
    const words = 'This browser is too old to show boards. Any browser from mid-2023 or later can.';
    query('main').prepend(element('p', { className: 'trouble' }, words));
    return new Promise(() => {});
  }
  const bytes = Uint8Array.from(atob(find('data').textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).json();
}
