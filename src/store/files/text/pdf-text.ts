/**
 * Reads the text of a PDF. Only this file imports unpdf, which contains PDF.js without what draws.
 *
 * The document runs no code and calls no address. A file can declare any number of pages, and a page can take any time:
 * reading stops at MAX_PAGES and after MAX_CPU_MS, and keeps what was read; text-operations.ts limits the time of one
 * page.
 */
import { getDocument, VerbosityLevel } from 'unpdf/pdfjs'
import type { TextCollector } from './text-collector.js'

const MAX_PAGES = 5_000
const MAX_CPU_MS = 6_000

/**
 * Adds the text of a PDF to the collector. It adds nothing if the PDF cannot be read, for example because it has a
 * password.
 */
export const readPdfText = async (bytes: Uint8Array, collector: TextCollector): Promise<void> => {
  const began = process.cpuUsage()
  const task = getDocument({
    // The library takes the memory of the bytes.
    data: bytes.slice(),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    stopAtErrors: false,
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    const pdf = await task.promise
    const pages = Math.min(pdf.numPages, MAX_PAGES)
    for (let number = 1; number <= pages && !collector.isFull(); number++) {
      const { user, system } = process.cpuUsage(began)
      if ((user + system) / 1_000 > MAX_CPU_MS) return
      await readPage(pdf, number, collector)
    }
  } catch {
    // What was read before the fault is text of the document.
  } finally {
    await task.destroy().catch(() => {})
  }
}

type OpenPdf = Awaited<ReturnType<typeof getDocument>['promise']>

/** Adds the text of a page. A page that cannot be read is left out. */
const readPage = async (pdf: OpenPdf, number: number, collector: TextCollector): Promise<void> => {
  try {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
    collector.add(`${joinDividedWords(text)}\n`)
    page.cleanup()
  } catch {
    // The other pages may be whole.
  }
}

/** Joins words that a hyphen divides at the end of a line. */
const joinDividedWords = (text: string): string => text.replace(/(\p{L})[-\u00ad\u2010]\n(?=\p{Ll})/gu, '$1')
