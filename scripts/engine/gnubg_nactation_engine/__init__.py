"""GNU Backgammon's evaluation as WebAssembly: the file gnubg.wasm, and its hash in SHA256SUMS."""
