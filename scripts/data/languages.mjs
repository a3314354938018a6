/**
 * Composes src/domain/data/languages.json: the languages of Pygments, and the grammar of Prism for each.
 *
 * A language gets the grammar that Prism has under one of its aliases. `chosenGrammars` has the exceptions: languages
 * that are close to one for which Prism has a grammar, and languages whose alias means another language in Prism.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { root } from '../clone/root.mjs'
import { composeDataFile } from './data-file.mjs'
import { askPackage } from './python.mjs'

const PYGMENTS = '2.21.0'

/** The exceptions; null: no grammar fits. `patch` and `pycon` are our own (domain/markdown/code/prism.ts). */
const chosenGrammars = new Map(
  Object.entries({
    ANTLR: 'antlr4',
    AspectJ: 'java',
    'Base Makefile': 'makefile',
    'BBC Basic': 'basic',
    Charmci: 'cpp',
    ClojureScript: 'clojure',
    COBOLFree: 'cobol',
    'CSS+PHP': 'php',
    CUDA: 'cpp',
    Cython: 'python',
    'Darcs Patch': 'patch',
    'Desktop file': 'ini',
    Diff: 'patch',
    DTD: 'markup',
    Fish: 'bash',
    FortranFixed: 'fortran',
    GoogleSQL: 'sql',
    'HTML + Angular2': 'markup',
    'HTML+Django/Jinja': 'django',
    'HTML+Handlebars': 'handlebars',
    'HTML+PHP': 'php',
    'HTML+Twig': 'twig',
    Icon: null,
    'Inform 7': null,
    Io: null,
    J: null,
    'JavaScript+PHP': 'php',
    'JSON-LD': 'json',
    Luau: 'lua',
    Mojo: 'python',
    Monkey: null,
    MySQL: 'sql',
    nesC: 'c',
    NumPy: 'python',
    'Objective-C++': 'objectivec',
    Octave: 'matlab',
    ODIN: null,
    'PL/pgSQL': 'sql',
    'PostgreSQL SQL dialect': 'sql',
    'Python 2.x': 'python',
    'Python console session': 'pycon',
    Q: null,
    RHTML: 'erb',
    systemverilog: 'verilog',
    'Transact-SQL': 'sql',
    'Unix/Linux config files': 'ini',
    VBScript: 'vbnet',
    Vue: 'markup',
    Vyper: 'python',
    WebAssembly: 'wasm',
    Wikitext: 'wiki',
    'XML+PHP': 'php',
    XSLT: 'markup',
    Zone: 'dns-zone-file',
  }),
)

const require = createRequire(import.meta.url)

/** Lists the names and aliases of Prism's grammars, with the grammar of each. */
function listGrammars() {
  const { meta: _, ...languages } = require('prismjs/components.js').languages
  const names = Object.keys(languages).map((name) => [name, name])
  const aliases = Object.entries(languages).flatMap(([name, { alias = [] }]) =>
    [alias].flat().map((other) => [other, name]),
  )
  return new Map([...names, ...aliases])
}

/** Composes the file. */
export function composeLanguages() {
  const languages = askPackage(
    `Pygments==${PYGMENTS}`,
    `
import json
from pygments.lexers import get_all_lexers
print(json.dumps([[name, aliases] for name, aliases, _, _ in get_all_lexers(plugins=False)]))`,
  )
  const grammars = listGrammars()
  const rows = languages
    // A fence cannot name a language without an alias.
    .filter(([, aliases]) => aliases.length > 0)
    .sort(([a], [b]) => compare(a.toLowerCase(), b.toLowerCase()))
    .map(([name, aliases]) => {
      const found = aliases.map((alias) => grammars.get(alias.toLowerCase())).find((grammar) => grammar !== undefined)
      const grammar = chosenGrammars.has(name) ? chosenGrammars.get(name) : found
      return [name, { aliases: aliases.join(' '), ...(grammar == null ? {} : { grammar }) }]
    })
  return composeDataFile(
    [
      'The names of programming languages, the aliases that users write after a fence, and the grammar of Prism for the',
      'language, if there is one that fits. Written by scripts/data/languages.mjs: do not edit.',
    ].join(' '),
    { Pygments: PYGMENTS, prismjs: readVersion('prismjs') },
    { languages: rows },
  )
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

const readVersion = (name) => JSON.parse(readFileSync(`${root}node_modules/${name}/package.json`, 'utf8')).version
