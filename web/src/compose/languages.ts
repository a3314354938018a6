/** The languages of code blocks that are proposed after ```, by the aliases that users write; and other blocks. */

import { matchName } from '../finding/rank.js'
import { usesOf } from '../finding/uses.js'
import { t } from '../languages/t.js'
import type { Chat } from '../realm/chat.js'

/** Alias, then the name that the server gives the language where it differs. The most common come first. */
const languages =
  `python javascript js=javascript typescript ts=typescript bash sh=bash json sql java c cpp=c++ c++ csharp=c#
go rust html css yaml php ruby kotlin swift diff docker=docker dockerfile=docker markdown r scala perl lua haskell elixir
erlang clojure dart julia matlab objective-c powershell xml toml ini make=makefile makefile nginx graphql latex=tex tex
vim=viml groovy ocaml fsharp=f# nim zig solidity protobuf=protocolbuffer terraform jsx tsx scss sass less console awk
assembly=nasm nasm fortran pascal=delphi prolog scheme racket commonlisp=commonlisp lisp=commonlisp elm vue text`
    .split(/\s+/)
    .map((entry) => {
      const [alias = '', name = alias] = entry.split('=')
      return { alias, name }
    })

/** Blocks that are no code. */
const blocks = [
  { alias: 'quote', detail: t('A quotation') },
  { alias: 'spoiler', detail: t('Text that is hidden until the reader opens it') },
  { alias: 'math', detail: t('A formula') },
]

/**
 * Finds what can stand after ``` and begins with the query. The query itself comes first, then the language of the
 * organization, then what the user used most, then the others.
 */
export const findLanguages = (chat: Chat, query: string): { alias: string; detail: string }[] => {
  const uses = usesOf(chat)
  const standard = chat.organization.value.realm_default_code_block_language ?? ''
  const weigh = ({ alias, name }: { alias: string; name: string }) =>
    alias === query
      ? Number.NEGATIVE_INFINITY
      : name === standard || alias === standard
        ? -1e6
        : -uses.weightOf('language', name)
  const found = languages
    .filter(({ alias }) => (matchName(alias, query) ?? 2) <= 0)
    .sort((one, other) => weigh(one) - weigh(other))
    .map(({ alias, name }) => ({ alias, detail: alias === name ? '' : name }))
  return [...found, ...blocks.filter(({ alias }) => alias.startsWith(query.toLowerCase()))]
}
