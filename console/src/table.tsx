/** A table with a caption, whose columns say how a row is shown. */
import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  title: string
  /** Numbers are set at the right, so that their digits are under each other. */
  isNumber?: boolean
  show(row: Row): ComponentChildren
}

interface TableProps<Row> {
  caption: string
  /** what the table means, or what to do about it */
  hint?: ComponentChildren
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string | number
  /** whether it needs the whole width of the page */
  isWide?: boolean
  /** shown instead of an empty table */
  empty: string
}

/** What scrolls must be reachable with the keyboard. */
const focusable = { tabIndex: 0 }

/** The table; it scrolls by itself when it is wider than the page. */
export function Table<Row>({ caption, hint, columns, rows, keyOf, isWide, empty }: TableProps<Row>) {
  const id = `table-${caption.toLowerCase().replace(/\W+/g, '-')}`
  return (
    <section class={isWide === true && rows.length > 0 ? 'card wide' : 'card'} aria-labelledby={id}>
      <h2 id={id}>{caption}</h2>
      {hint === undefined ? null : <p class="hint">{hint}</p>}
      {rows.length === 0 ? (
        <p class="empty">{empty}</p>
      ) : (
        <div class="scroll" {...focusable}>
          <table>
            <thead>
              <tr>
                {columns.map(({ title, isNumber }) => (
                  <th key={title} scope="col" class={isNumber ? 'number' : ''}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={keyOf(row)}>
                  {columns.map(({ title, isNumber, show }) => (
                    <td key={title} class={isNumber ? 'number' : ''}>
                      {show(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
