/** Bar charts as SVG, readable on a light and on a dark page: text and lines follow the color scheme of the reader. */

export interface Chart {
  title: string
  unit: string
  /** the names of the parts of a bar, in the order of `values` */
  parts: readonly string[]
  bars: readonly { label: string; values: readonly number[]; isOurs: boolean }[]
}

const WIDTH = 760
const LABEL_WIDTH = 205
const VALUE_WIDTH = 90
const ROW = 30
const TOP = 64
/** The longest bar, in pixels. */
const BAR_WIDTH = WIDTH - LABEL_WIDTH - VALUE_WIDTH

/** Draws horizontal bars, one below the other. The parts of a bar are stacked. */
export const drawChart = ({ title, unit, parts, bars }: Chart, format: (value: number) => string): string => {
  const totals = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const largest = Math.max(...totals, Number.MIN_VALUE)
  const rows = bars.map(({ label, values, isOurs }, i) => {
    const y = TOP + i * ROW
    let x = LABEL_WIDTH
    const rectangles = values.map((value, part) => {
      const width = (value / largest) * BAR_WIDTH
      const rectangle = `<rect class="part${part}${isOurs ? ' ours' : ''}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 10}"/>`
      x += width
      return rectangle
    })
    const baseline = y + ROW - 16
    return [
      `<text x="${LABEL_WIDTH - 8}" y="${baseline}" text-anchor="end"${isOurs ? ' font-weight="bold"' : ''}>${encode(label)}</text>`,
      ...rectangles,
      `<text x="${(x + 6).toFixed(1)}" y="${baseline}">${encode(format(totals[i] ?? 0))}</text>`,
    ].join('')
  })
  const legend = parts.map(
    (part, i) =>
      `<rect class="part${i}" x="${LABEL_WIDTH + i * 160}" y="36" width="12" height="12"/><text x="${LABEL_WIDTH + i * 160 + 18}" y="47">${encode(part)}</text>`,
  )
  const height = TOP + bars.length * ROW + 6
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${encode(title)}</title>`,
    '<style>',
    'text { fill: #1f2328 } .part0 { fill: #8c959f } .part1 { fill: #d0d7de } .ours.part0 { fill: #0969da } .ours.part1 { fill: #80ccff }',
    '@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .part0 { fill: #848d97 } .part1 { fill: #484f58 } .ours.part0 { fill: #2f81f7 } .ours.part1 { fill: #1f4f8f } }',
    '</style>',
    `<text x="0" y="20" font-size="15" font-weight="bold">${encode(`${title} (${unit})`)}</text>`,
    ...(parts.length > 1 ? legend : []),
    ...rows,
    '</svg>',
    '',
  ].join('\n')
}

const encode = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
