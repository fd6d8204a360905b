// GNU Backgammon's evaluation: gnubg.wasm, which scripts/engine.sh builds.

/** Calls a function of scripts/engine/entry.c with a question, and returns its answer.
 * @typedef {(name: string, question: ArrayLike<number>, ...rest: number[]) => Float32Array} Ask */

const NEEDS = 'this browser cannot run them. Please use one from 2023 or later.'; // it has no SIMD

/** Start the engine. It runs at once and without access to anything, so a worker should ask it.
 * After an error the next question starts it again. The bytes must be whole.
 * @type {(bytes: BufferSource) => Promise<Ask>} */
export async function startEngine(bytes) {
  const module = await WebAssembly.compile(bytes).catch(() => { throw new Error(NEEDS); });
  /** @type {WebAssembly.Imports} */
  const imports = {};
  for (const { module: space, name } of WebAssembly.Module.imports(module)) {
    (imports[space] ??= {})[name] = () => { throw new Error(`the engine called ${name}`); };
  }
  const start = () => {
    const exports = /** @type {any} */ (new WebAssembly.Instance(module, imports).exports);
    exports._initialize();
    return exports;
  };
  let running = start();
  return (name, question, ...rest) => {
    running ??= start();
    const engine = running;
    running = null; // unless it answers
    new Int32Array(engine.memory.buffer, engine.question(), question.length).set(question);
    const count = engine[name](...rest);
    if (count < 0) throw new Error(`the engine has no answer to ${name}`);
    const answer = new Float32Array(engine.memory.buffer, engine.answer(), count).slice();
    running = engine;
    return answer;
  };
}
