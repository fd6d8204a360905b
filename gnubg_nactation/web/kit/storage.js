// What the browser keeps for the next visit. Some keep nothing for pages opened from a file.

export function recall(/** @type {string} */ key) {
  try {
    return localStorage.getItem(key) || '';
  } catch {
    return '';
  }
}

export function store(/** @type {string} */ key, /** @type {string} */ value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It holds for this visit.
  }
}
