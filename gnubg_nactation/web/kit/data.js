// The data of the page, which come deflated.

import { element, find, query } from './dom.js';

export const canUnpack = typeof DecompressionStream !== 'undefined';

/** What Python has put into the page. @type {() => Promise<any>} */
export async function unpackedData() {
  if (!canUnpack) {
    const words = 'This browser cannot unpack the data of this page, so it shows no boards; any browser of mid-2023 or later can.';
    query('main').prepend(element('p', { className: 'trouble' }, words));
    return new Promise(() => {}); // the rest of the script waits forever
  }
  const bytes = Uint8Array.from(atob(find('data').textContent), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).json();
}
