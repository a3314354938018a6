/** A code that cameras read. Its squares are dark on light in the dark theme too, because cameras need that. */
import { encode } from 'uqr'
import './qr-code.css'

/** The code of a text, with the empty border that readers of codes need. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg
      class="address-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path d={squares.join('')} />
    </svg>
  )
}
