/** One plot over time, with a legend that shows the values under the pointer, or else the newest ones. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { format, type Unit } from './format.js'

/** One line of a plot. `values` has one value for each of the plot's times. */
export interface Line {
  label: string
  /** the number of its colour, 0 to 7 */
  color: number
  values: (number | null)[]
}

export interface PlotProps {
  title: string
  /** what the values mean, as a sentence */
  hint: string
  unit: Unit
  /** UNIX seconds */
  times: number[]
  lines: Line[]
}

/** Distances between the lines of an axis of bytes: whole mebibytes. */
const byteSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].map((mebibytes) => mebibytes * 1024 * 1024)
const HEIGHT = 150
const COLORS = 8

/** Reads a colour of the style sheet, which differs between the light and the dark theme. */
const readColor = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** The class of the square with a line's colour. */
export const swatchClass = (color: number) => `swatch swatch-${color % COLORS}`

const dark = window.matchMedia('(prefers-color-scheme: dark)')

/** A plot in a card. */
export function Plot({ title, hint, unit, times, lines }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const [pointed, point] = useState<number | null>(null)
  const [theme, setTheme] = useState(dark.matches)
  const data = useMemo<uPlot.AlignedData>(() => [times, ...lines.map(({ values }) => values)], [times, lines])
  // Another set of lines needs another plot; other values do not.
  const shape = lines.map(({ label, color }) => `${label}:${color}`).join(' ')

  useEffect(() => {
    const update = () => setTheme(dark.matches)
    dark.addEventListener('change', update)
    return () => dark.removeEventListener('change', update)
  }, [])

  // The plot is made again when its shape or the theme changes.
  useEffect(() => {
    const parent = box.current
    if (parent === null) return
    const axis = { stroke: readColor('--quiet'), font: '11px system-ui', ticks: { show: false } }
    const grid = { stroke: readColor('--line'), width: 1 }
    const made = new uPlot(
      {
        width: parent.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { points: { size: 6 }, drag: { x: false, y: false }, sync: { key: 'console' }, y: false },
        scales: { y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
        axes: [
          { ...axis, grid: { show: false }, space: 70, size: 26, values: (_plot, at) => at.map(formatTime) },
          {
            ...axis,
            grid,
            size: 62,
            space: 36,
            incrs: unit === 'bytes' ? byteSteps : undefined,
            values: (_plot, values) => values.map((one) => format(one, unit)),
          },
        ],
        series: [
          {},
          ...lines.map(({ label, color }) => ({
            label,
            stroke: readColor(`--color-${color % COLORS}`),
            width: 1.6,
            points: { show: true, size: 4, fill: readColor(`--color-${color % COLORS}`), filter: listIsolated },
          })),
        ],
        hooks: { setCursor: [({ cursor }) => point(cursor.idx ?? null)] },
      },
      data,
      parent,
    )
    plot.current = made
    const resize = new ResizeObserver(() => made.setSize({ width: parent.clientWidth, height: HEIGHT }))
    resize.observe(parent)
    return () => {
      resize.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [shape, unit, theme])

  useEffect(() => plot.current?.setData(data), [data])

  const latest = lines.map(({ values }) => values.findLast((value) => value !== null) ?? null)
  const shown = pointed === null ? latest : lines.map(({ values }) => values[pointed] ?? null)
  const spoken = lines.map(({ label }, i) => `${label}: ${format(latest[i], unit)}`).join(', ')
  return (
    <figure class="plot">
      <figcaption>
        <h3>{title}</h3>
        <p>{hint}</p>
      </figcaption>
      <div class="canvas" ref={box} role="img" aria-label={`${title}. ${spoken || 'No values.'}`} />
      <ul class="legend">
        {lines.map(({ label, color }, i) => (
          <li key={label}>
            <span class={swatchClass(color)} />
            {label} <b>{format(shown[i], unit)}</b>
          </li>
        ))}
      </ul>
    </figure>
  )
}

/** The values without a neighbour: no line shows them, so they get a point. */
const listIsolated = (plot: uPlot, series: number): number[] => {
  const values = plot.data[series] ?? []
  const isMissing = (i: number) => typeof values[i] !== 'number'
  return Array.from(values.keys()).filter((i) => !isMissing(i) && isMissing(i - 1) && isMissing(i + 1))
}

const formatTime = (seconds: number): string => new Date(seconds * 1000).toLocaleTimeString([], { hour12: false })
