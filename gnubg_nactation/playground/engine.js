// GNU Backgammon's evaluation: gnubg.wasm, which scripts/engine.sh builds.

/** Calls a function of scripts/engine/entry.c with a question, and returns its answer.
 * @typedef {(name: string, question: ArrayLike<number>, ...rest: number[]) => Float32Array} Ask */

/** Start the engine. It runs at once and without access to anything, so a worker should ask it.
 * After an error the next question starts it again.
 * @type {(bytes: BufferSource) => Promise<Ask>} */
export async function startEngine(bytes) {
  const module = await WebAssembly.compile(bytes);
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
