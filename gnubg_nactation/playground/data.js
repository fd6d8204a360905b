// The data in the page: paths, the alphabet, the board.

import { find } from '../web/kit/dom.js';

/** @type {PlaygroundData} */
export const data = JSON.parse(find('data').textContent);
