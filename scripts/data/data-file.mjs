/** The form of a data file: what it contains, the versions of its sources, and its tables with a row on each line. */

/**
 * Composes the text of a data file. The order of the rows is kept, also of those whose key looks like a number.
 * @param about sentences for a reader of the file
 * @param sources versions by package
 * @param tables the rows of each table, as pairs of a key and a value
 */
export const composeDataFile = (about, sources, tables) => {
  const head = [`"about": ${JSON.stringify(about)}`, composeTable('sources', Object.entries(sources))]
  const members = [...head, ...Object.entries(tables).map(([name, rows]) => composeTable(name, rows))]
  return `{\n  ${members.join(',\n  ')}\n}\n`
}

const composeTable = (name, rows) => {
  const lines = rows.map(([key, value]) => `    ${JSON.stringify(key)}: ${composeValue(value)}`)
  return `${JSON.stringify(name)}: {\n${lines.join(',\n')}\n  }`
}

/** A value on one line, with the spaces that the formatter of the sources writes. */
const composeValue = (value) => {
  if (typeof value === 'string') return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${JSON.stringify(field)}`)
  return `{ ${fields.join(', ')} }`
}
