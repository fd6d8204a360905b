// Asks the engine in Node: `node engine.mjs FILE QUESTIONS` prints the bytes of each answer, or an error.

import { readFileSync } from 'node:fs';
import { startEngine } from '../../gnubg_nactation/playground/engine.js';

const [file, questions] = process.argv.slice(2);
const ask = await startEngine(readFileSync(file)).catch((error) => () => { throw error; });
const answers = JSON.parse(readFileSync(questions, 'utf-8')).map(([name, question, ...rest]) => {
  try {
    return Buffer.from(ask(name, question, ...rest).buffer).toString('hex');
  } catch (error) {
    return error.message;
  }
});
console.log(JSON.stringify(answers));
