// What is taken along: texts to the clipboard, pictures and files.

import { element } from './dom.js';

/** Copy a text; resolves to whether that is allowed. @type {(text: string) => Promise<boolean>} */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A drawing, from an address that may hold it, as a PNG. @type {(address: string, width: number, height: number) => Promise<Blob>} */
export async function pngOf(address, width, height) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = element('canvas', { width, height });
  canvas.getContext('2d').drawImage(image, 0, 0, width, height);
  return new Promise((done) => { canvas.toBlob(done, 'image/png'); });
}

/** Give a file to the reader. @type {(name: string, blob: Blob) => void} */
export function download(name, blob) {
  const href = URL.createObjectURL(blob);
  const link = element('a', { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}
