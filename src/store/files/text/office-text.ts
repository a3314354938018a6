/** Reads the text of office documents: ZIP files with XML, of OOXML (Word, Excel, PowerPoint) and OpenDocument. */
import { type MarkupRules, openMarkupReader } from './markup-text.js'
import type { TextCollector } from './text-collector.js'
import type { ZipParts } from './zip-parts.js'

interface OfficeFormat {
  /** the part that every document of the format has */
  main: string
  /** the parts with text, in the order in which they are read */
  parts: readonly { name: RegExp; rules: MarkupRules }[]
}

const word: MarkupRules = { textIn: ['t'], breaks: ['p', 'tab', 'br', 'cr', 'tc'] }
const slide: MarkupRules = { textIn: ['t'], breaks: ['p', 'br'] }
const sharedStrings: MarkupRules = { textIn: ['t'], skipped: ['rPh'], breaks: ['si', 'text'] }
const openDocument: MarkupRules = {
  skipped: ['tracked-changes', 'scripts', 'binary-data'],
  breaks: ['p', 'h', 'tab', 's', 'line-break', 'table-cell', 'list-item', 'annotation', 'date', 'creator'],
}

const formats: readonly OfficeFormat[] = [
  {
    main: 'word/document.xml',
    parts: [
      { name: /^word\/document\.xml$/, rules: word },
      { name: /^word\/(?:header|footer|footnotes|endnotes|comments)\d*\.xml$/, rules: word },
    ],
  },
  {
    main: 'xl/workbook.xml',
    parts: [
      {
        name: /^xl\/workbook\.xml$/,
        rules: { textIn: [], breaks: [], attribute: { element: 'sheet', name: 'name' } },
      },
      { name: /^xl\/sharedStrings\.xml$/, rules: sharedStrings },
      // Text that is not shared, and numbers. Where a cell has shared text, its value is the number of that text.
      {
        name: /^xl\/worksheets\/[^/]+\.xml$/,
        rules: {
          textIn: ['t', 'v'],
          breaks: ['c'],
          skippedIf: { element: 'c', attribute: 't', value: 's' },
        },
      },
      { name: /^xl\/comments[^/]*\.xml$/, rules: sharedStrings },
    ],
  },
  {
    main: 'ppt/presentation.xml',
    parts: [{ name: /^ppt\/(?:slides|notesSlides)\/[^/]+\.xml$/, rules: slide }],
  },
  { main: 'content.xml', parts: [{ name: /^content\.xml$/, rules: openDocument }] },
]

/** Adds the text of an office document; nothing: the file is not one. */
export const readOfficeText = async (zip: ZipParts, collector: TextCollector): Promise<void> => {
  const format = formats.find(({ main }) => zip.names.includes(main))
  if (format === undefined) return
  for (const { name: pattern, rules } of format.parts) {
    for (const name of zip.names.filter((one) => pattern.test(one)).sort(byNumber)) {
      if (collector.isFull()) return
      const decoder = new TextDecoder()
      const reader = openMarkupReader(rules, collector)
      await zip.read(name, (piece) => reader.write(decoder.decode(piece, { stream: true })))
      reader.end()
      collector.add('\n')
    }
  }
}

/** The second slide comes before the tenth. */
const byNumber = new Intl.Collator('en', { numeric: true }).compare
