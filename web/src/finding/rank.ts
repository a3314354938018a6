/** How well names match what the user typed. */

/**
 * Says how well a name matches the query. -1 if the name is the query, 0 if the name begins with it, 1 if one of its
 * words does, 2 if it contains it; undefined if it does not.
 */
export const matchName = (name: string, query: string): number | undefined => {
  const [text, wanted] = [fold(name), fold(query)]
  // Most names of a long list do not contain it, and need no closer look.
  if (!text.includes(wanted)) return undefined
  if (text === wanted) return -1
  if (text.startsWith(wanted)) return 0
  if (text.split(/[\s_-]+/).some((word) => word.startsWith(wanted)) || text.includes(` ${wanted}`)) return 1
  return 2
}

/** Small letters without accents. */
const fold = (text: string): string =>
  (isPlain.test(text) ? text : text.normalize('NFD').replace(/\p{M}/gu, '')).toLowerCase()

/** Without accents, as most names are. */
const isPlain = /^[ -~]*$/

/**
 * Counts how far apart the letters of the query are in the name. The fewer, the better. Undefined if some letters are
 * missing.
 */
export const matchLetters = (name: string, query: string): number | undefined => {
  const [text, wanted] = [fold(name), fold(query).replace(/\s+/g, '')]
  let gaps = 0
  let last = -1
  for (const letter of wanted) {
    const index = text.indexOf(letter, last + 1)
    if (index === -1) return undefined
    if (last !== -1) gaps += index - last - 1
    last = index
  }
  return gaps
}

/**
 * Orders rows by how their names match the query. The order is by whether a word of the name begins with the query,
 * then by `weigh`. Rows that do not match are left out.
 */
export const rankByName = <Row>(
  rows: Iterable<Row>,
  query: string,
  nameOf: (row: Row) => string,
  weigh: (row: Row) => number = () => 0,
): Row[] => {
  const found: { row: Row; match: number; weight: number }[] = []
  for (const row of rows) {
    const match = matchName(nameOf(row), query)
    if (match !== undefined) found.push({ row, match, weight: weigh(row) })
  }
  const group = (match: number) => (match === 1 ? 0 : match)
  return found
    .sort(
      (a, b) =>
        group(a.match) - group(b.match) ||
        a.weight - b.weight ||
        a.match - b.match ||
        (nameOf(a.row) < nameOf(b.row) ? -1 : 1),
    )
    .map(({ row }) => row)
}
