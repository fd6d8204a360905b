// What the browser keeps for the next visit, if it keeps anything.

export function recall(/** @type {string} */ key) {
  try {
    return localStorage.getItem(key) || '';
  } catch {
    return ''; // no storage for files in this browser
  }
}

export function store(/** @type {string} */ key, /** @type {string} */ value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // then it holds for this visit
  }
}
