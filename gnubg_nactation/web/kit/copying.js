// Copying and downloading.

import { element } from './dom.js';

/** Copy a text; false if the browser does not allow it. @type {(text: string) => Promise<boolean>} */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The drawing at an address (which may be a data URL) as a PNG. @type {(address: string, width: number, height: number) => Promise<Blob>} */
export async function pngOf(address, width, height) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = element('canvas', { width, height });
  canvas.getContext('2d').drawImage(image, 0, 0, width, height);
  return new Promise((done) => { canvas.toBlob(done, 'image/png'); });
}

/** Save a file. @type {(name: string, blob: Blob) => void} */
export function download(name, blob) {
  const href = URL.createObjectURL(blob);
  const link = element('a', { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}
