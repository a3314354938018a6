/**
 * Reads the text of an uploaded file: a text, HTML, a PDF, or an office document. The bytes decide which it is, not the
 * name or the content type. A file of another kind, or a damaged one, has no text or a part of it; no file is an error.
 */
import { openMarkupReader } from './markup-text.js'
import { readOfficeText } from './office-text.js'
import { decodePlainText } from './plain-text.js'
import { createTextCollector } from './text-collector.js'
import { openZip } from './zip-parts.js'

/** Returns the text; empty: the file has none that can be read. */
export const readDocumentText = async (bytes: Uint8Array): Promise<string> => {
  const collector = createTextCollector()
  if (isPdf(bytes)) {
    // Loaded only for a PDF: it is as large as all other programs of the thread together.
    const { readPdfText } = await import('./pdf-text.js')
    await readPdfText(bytes, collector)
  } else if (beginsWith(bytes, 'PK\x03\x04')) {
    const zip = await openZip(bytes)
    if (zip !== undefined) await readOfficeText(zip, collector)
  } else {
    const text = decodePlainText(bytes)
    if (text !== undefined && isHtml(text)) {
      const reader = openMarkupReader(html, collector, 'html')
      reader.write(text)
      reader.end()
    } else if (text !== undefined) {
      collector.add(text)
    }
  }
  return collector.text().replace(NOT_STORED, ' ')
}

/** Postgres stores no NUL and no half of a pair; the other control characters are no part of a word. */
const NOT_STORED = /[^\P{Cc}\n\t]|[\p{Cs}\ufffe\uffff]/gu

const html = {
  skipped: ['script', 'style', 'noscript', 'template'],
  breaks: ['p', 'div', 'br', 'li', 'td', 'th', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'title', 'pre', 'dt', 'dd'],
}

const beginsWith = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, text.length)).toString('latin1') === text

/** Readers accept a PDF that begins within the first kilobyte. */
const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).includes('%PDF-')

const isHtml = (text: string): boolean => /^\s*<(?:!doctype\s+html|html)[\s>]/i.test(text.slice(0, 1_000))
