// Run by Node when the page is built: writes two files again in a folder that has Pyodide. In
// python_stdlib.zip the modules are compiled that the page imports, and what no page can use is left
// out. In package.zip some modules are also compiled. A first visit starts sooner with them. The
// same files give the same bytes.

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [, , folder] = process.argv;
const PACKAGE = '/lib/package.zip'; // as in worker.js
const COMPILE = `
import importlib.util, io, sys, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

# For terminals, networks, processes and developers.
UNUSED = set("""
    _pyio _pyrepl antigravity bdb cProfile cmd code codeop compileall configparser ctypes doctest
    ensurepip filecmp fileinput ftplib getpass graphlib http idlelib imaplib mailbox modulefinder
    multiprocessing netrc nturl2path optparse pdb pickletools plistlib poplib profile pstats pty
    pyclbr pydoc pydoc_data rlcompleter runpy sched shelve smtplib socketserver symtable tabnanny
    this timeit tkinter tomllib trace tracemalloc turtledemo unittest venv wave wsgiref xml xmlrpc
    zipapp zoneinfo __hello__ __phello__
""".split())
# Most of these files are tables for one language.
ENCODINGS = set("""
    __init__ aliases ascii base64_codec charmap cp1250 cp1251 cp1252 cp1253 cp1254 cp437 cp850
    hex_codec idna iso8859_1 iso8859_15 iso8859_2 latin_1 mac_roman punycode raw_unicode_escape
    unicode_escape utf_16 utf_16_be utf_16_le utf_32 utf_32_be utf_32_le utf_7 utf_8 utf_8_sig
    zlib_codec
""".split())

# To compile all would take too much of the download; these are what a typed character needs.
ROOMS = set("backgammon decisions engines language nacbracs sequences writing".split())


def is_used(name):
    top, _, rest = name.partition("/")
    if top == "encodings":
        return rest.removesuffix(".py") in ENCODINGS
    return top.removesuffix(".py") not in UNUSED


def entry(name):
    made = zipfile.ZipInfo(name)  # dated 1980
    made.external_attr = 0o644 << 16
    made.compress_type = zipfile.ZIP_DEFLATED
    return made


sys.path.insert(0, "${PACKAGE}")
from gnubg_nactation.playground import answers
library = next(path for path in sys.path if path.endswith(".zip") and path != "${PACKAGE}")
imported = {getattr(module, "__file__", None) for module in [*sys.modules.values()]}


def compiled(name, source, optimize):
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    data = _code_to_hash_pyc(code, importlib.util.source_hash(source), False)
    return entry(f"{name}c"), bytes(data)


with zipfile.ZipFile(library) as old, zipfile.ZipFile("/library.zip", "w", compresslevel=9) as new:
    for name in sorted(old.namelist()):
        if f"{library}/{name}" in imported and name.endswith(".py"):
            new.writestr(*compiled(name, old.read(name), 2))
        elif is_used(name):
            new.writestr(entry(name), old.read(name))
with zipfile.ZipFile("${PACKAGE}") as old, zipfile.ZipFile("/package.zip", "w", compresslevel=9) as new:
    for name in old.namelist():
        source = old.read(name)
        if f"${PACKAGE}/{name}" in imported and name.split("/")[1] in ROOMS:
            new.writestr(*compiled(name, source, 0))
        new.writestr(entry(name), source)
`;

const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const pyodide = await loadPyodide({ indexURL: `${folder}/`, env: { HOME: '/home/pyodide', PYTHONHASHSEED: '0' } });
pyodide.FS.writeFile(PACKAGE, readFileSync(`${folder}/package.zip`));
pyodide.runPython(COMPILE);
writeFileSync(`${folder}/python_stdlib.zip`, pyodide.FS.readFile('/library.zip'));
writeFileSync(`${folder}/package.zip`, pyodide.FS.readFile('/package.zip'));
