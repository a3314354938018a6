/**
 * The names of programming languages, and the aliases that users write after a fence, as in Pygments.
 *
 * Clients show the name and use it to choose a playground. For a language that is not in the table, clients get the
 * name that the author typed. Code in a language without a grammar of Prism (prism.ts) is not highlighted. The table is
 * domain/data/languages.json; test/markdown/pygments.test.ts compares it with Pygments.
 * Source: protocol/messages.md 6.2.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export interface Language {
  name: string
  /** Prism's name of the grammar; undefined: there is none */
  grammar: string | undefined
}

/** The table: by name, the aliases, separated by spaces, and the grammar. */
interface LanguageTable {
  languages: Readonly<Record<string, { aliases: string; grammar?: string }>>
}

const languages = new Map<string, Language>()

/** Loads the table when it is first used, so that it costs a process without code nothing. */
const loadTable = (): void => {
  const table: LanguageTable = require('../../data/languages.json')
  for (const [name, { aliases, grammar }] of Object.entries(table.languages)) {
    for (const alias of aliases.split(' ')) languages.set(alias.toLowerCase(), { name, grammar })
  }
}

/** Finds the language with a typed alias, in any case. Returns undefined if the language is unknown. */
export const findLanguage = (typed: string): Language | undefined => {
  if (languages.size === 0) loadTable()
  return languages.get(typed.toLowerCase())
}
