// The options; each change is kept at once.

import { find } from '../../web/kit/dom.js';
import { keepOptions, knownOptions } from './choices.js';

const form = find('form');
const { theme, bottom, plays, engine } = form.elements;
const options = await knownOptions();
theme.value = options.theme;
bottom.value = options.bottom;
plays.checked = options.plays;
engine.checked = options.engine;
form.addEventListener('change', () => keepOptions({ theme: theme.value, bottom: bottom.value, plays: plays.checked, engine: engine.checked }));
