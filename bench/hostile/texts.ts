/** Messages that are written to be slow to render. */

/** Repeats a text up to a length. */
export const repeatToLength = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length)

/** Hostile texts, by name; those that repeat a part have the given length. */
export const hostileTexts = (length: number): Readonly<Record<string, string>> => {
  const fill = (part: string) => repeatToLength(part, length)
  return {
    stars: fill('*a **b '),
    brackets: fill('[a]('),
    'nested quotes': fill('> '),
    'nested lists': fill('- '),
    backticks: fill('`a``b'),
    links: fill('http://a.b/(('),
    mentions: fill('@**a @_**'),
    'table cells': `|a|\n|-|\n${fill('|a')}`,
    'many formulas': fill('$$x$$ '),
    macros: `$$\\def\\a{xxxx}\\def\\b{\\a\\a\\a\\a}\\def\\c{\\b\\b\\b\\b}${'\\c'.repeat(400)}$$`,
    fences: fill('```\n'),
    entities: fill('&amp;<'),
  }
}
