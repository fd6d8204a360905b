// What the user chooses in the options.

/** @type {Options} */
const USUAL = { theme: 'page', bottom: 'white', plays: true, engine: true };

/** @type {() => Promise<Options>} */
export const knownOptions = async () => ({ ...USUAL, ...(await chrome.storage.local.get('options')).options });

/** @type {(options: Options) => Promise<void>} */
export const keepOptions = (options) => chrome.storage.local.set({ options });
