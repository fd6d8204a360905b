// What the browser keeps for the next visit, if it keeps anything.

/** @type {(key: string) => string} */
export function recall(key) {
  try {
    return localStorage.getItem(key) || '';
  } catch {
    return ''; // no storage for files in this browser
  }
}

/** @type {(key: string, value: string) => void} */
export function store(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // then it holds for this visit
  }
}
