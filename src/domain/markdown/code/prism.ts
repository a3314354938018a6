/**
 * Splits code into tokens with the grammars of Prism. Only this file calls Prism.
 *
 * 1. A grammar is loaded when code in its language is first rendered, so a process without such code loads none.
 * 2. Time is linear in the length of the code. Some patterns of the grammars try each position of a text and read up to
 *    its end, so Prism never gets more characters than a window has, and never a long run of equal characters.
 * 3. The texts of the tokens, one after the other, are the code.
 *
 * Prism was chosen among the well-kept highlighters by measurement: it has tokens for operators and punctuation, which
 * highlight.js has not, and takes a tenth of the time of highlight.js and a thirtieth of that of the TextMate grammars.
 */
import { createRequire } from 'node:module'
import type { Grammar, Token as PrismToken } from 'prismjs'

const require = createRequire(import.meta.url)

/** The characters that Prism gets at a time. Nearly all code in messages is shorter. */
const WINDOW = 2_000

/** The windows of languages with slower patterns. Each is chosen so that no text of 10,000 characters takes 20 ms. */
const smallWindows: Readonly<Record<string, number>> = {
  ada: 1_000,
  apacheconf: 800,
  css: 400,
  django: 600,
  less: 250,
  markdown: 500,
  markup: 600,
  nginx: 400,
  scss: 250,
  yaml: 500,
}

/** A token without tokens inside. */
export interface CodeToken {
  text: string
  /** the type that Prism gives to the token; empty: none */
  scope: string
  /** the scope of the token around it; empty: none */
  outer: string
}

/** Splits code in a language, by Prism's name of the language. */
export const splitCode = (code: string, language: string): CodeToken[] => {
  const { squeezed, removed } = squeezeRuns(code)
  const size = smallWindows[language] ?? WINDOW
  const tokens: CodeToken[] = []
  for (let at = 0; at < squeezed.length; ) {
    const window = squeezed.slice(at, at + size)
    const found = tokenize(window, language)
    const end = at + size < squeezed.length ? findCut(found) : window.length
    addTokens(found, '', '', end, tokens)
    at += end
  }
  return removed.length === 0 ? tokens : insertRemoved(tokens, removed)
}

type Tokens = readonly (string | PrismToken)[]

interface Library {
  Prism: typeof import('prismjs')
  load(language: string): void
}

/** Languages that Prism does not have, made of one that it has. */
const extensions: Readonly<Record<string, { of: string; extend(grammar: Grammar): Grammar }>> = {
  patch: { of: 'diff', extend: (diff) => ({ heading: /^(?:diff|index) .*$/im, ...diff }) },
  pycon: {
    of: 'python',
    extend: (python) => ({
      statement: { pattern: /^(?:>>>|\.\.\.)(?: .*)?$/m, inside: { prompt: /^(?:>>>|\.\.\.) ?/, rest: python } },
      output: /.+/,
    }),
  },
}

const loaded: { library?: Library } = {}

const loadLibrary = (): Library => {
  const Prism: typeof import('prismjs') = require('prismjs')
  const load: Library['load'] & { silent?: boolean } = require('prismjs/components/index.js')
  load.silent = true
  return { Prism, load }
}

const tokenize = (text: string, language: string): Tokens => {
  loaded.library ??= loadLibrary()
  const { Prism, load } = loaded.library
  if (Prism.languages[language] === undefined) {
    const extension = extensions[language]
    load(extension?.of ?? language)
    if (extension !== undefined) Prism.languages[language] = extension.extend(Prism.languages[extension.of] as Grammar)
  }
  const grammar = Prism.languages[language] as Grammar
  // Code in PHP has no HTML around it, so the hook that looks for the HTML is left out.
  if (language === 'php') return Prism.tokenize(text, grammar)
  const environment = { code: text, grammar, language, tokens: [] as Tokens }
  Prism.hooks.run('before-tokenize', environment)
  environment.tokens = Prism.tokenize(environment.code, environment.grammar)
  Prism.hooks.run('after-tokenize', environment)
  return environment.tokens
}

/** Returns where a window ends: after the last line end that is in no token, but in its second half. */
const findCut = (tokens: Tokens): number => {
  let end = 0
  let cut = 0
  for (const token of tokens) {
    if (typeof token === 'string') {
      const lineEnd = token.lastIndexOf('\n')
      if (lineEnd !== -1) cut = end + lineEnd + 1
    }
    end += textLength(token)
  }
  return cut * 2 < end ? end : cut
}

/** Returns the length of a token's text: that of `token.length` is wrong after a hook has replaced tokens inside. */
const textLength = (token: string | PrismToken): number => {
  if (typeof token === 'string') return token.length
  return innerTokens(token).reduce((length, inner) => length + textLength(inner), 0)
}

const innerTokens = ({ content }: PrismToken): Tokens =>
  typeof content === 'string' || !Array.isArray(content) ? [content] : content

/** Adds the tokens without tokens inside, up to a position. Returns the length of what it added. */
const addTokens = (found: Tokens, scope: string, outer: string, end: number, tokens: CodeToken[]): number => {
  let at = 0
  for (const token of found) {
    if (at >= end) break
    if (typeof token === 'string') {
      const text = token.slice(0, end - at)
      tokens.push({ text, scope, outer })
      at += text.length
    } else {
      at += addTokens(innerTokens(token), token.type, scope, end - at, tokens)
    }
  }
  return at
}

/** The longest run that Prism gets. */
const MAX_RUN = 64

const longRun = new RegExp(`[\\w$]{${MAX_RUN},}|[ \\t]{${MAX_RUN},}|([^\\w\\s])\\1{${MAX_RUN},}`, 'g')

interface Removed {
  /** the position in the squeezed code */
  at: number
  text: string
}

/** Shortens runs of letters, of spaces, or of one sign: what a run is does not depend on its length. */
const squeezeRuns = (code: string): { squeezed: string; removed: Removed[] } => {
  const removed: Removed[] = []
  let length = 0
  const squeezed = code.replace(longRun, (run: string, _, index: number) => {
    const text = run.slice(MAX_RUN)
    removed.push({ at: index + MAX_RUN - length, text })
    length += text.length
    return run.slice(0, MAX_RUN)
  })
  return { squeezed, removed }
}

/** Puts back what squeezeRuns removed. */
const insertRemoved = (tokens: readonly CodeToken[], removed: readonly Removed[]): CodeToken[] => {
  let next = 0
  let end = 0
  return tokens.map((token) => {
    const start = end
    end += token.text.length
    let text = ''
    let done = start
    for (let run = removed[next]; run !== undefined && run.at <= end; run = removed[++next]) {
      text += token.text.slice(done - start, run.at - start) + run.text
      done = run.at
    }
    return done === start && text === '' ? token : { ...token, text: text + token.text.slice(done - start) }
  })
}
