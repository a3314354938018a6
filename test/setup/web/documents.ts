/** Documents as users upload them, and hostile ones, made from their parts. */
import { crc32, deflateRawSync } from 'node:zlib'

/** A part of a ZIP file. `flags`: 1 says that it is encrypted. */
export interface ZipPart {
  name: string
  data: string | Uint8Array
  flags?: number
  /** the size that the file declares, if it lies */
  declares?: number
}

/** Packs parts into a ZIP file. */
export const zipOf = (parts: readonly ZipPart[]): Buffer => {
  const bodies: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const { name, data, flags = 0, declares } of parts) {
    const bytes = Buffer.from(data)
    const packed = deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(flags | 0x800, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(declares ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const entry = Buffer.alloc(16)
    entry.writeUInt32LE(offset, 12)
    list.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, entry.subarray(2), Buffer.from(name)]),
    )
    bodies.push(body)
    offset += body.length
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, directory, end])
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>'
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

/** The XML of a text document with this inside its body. */
export const wordXml = (body: string): string => `${XML}<w:document ${WORD}><w:body>${body}</w:body></w:document>`

/** A DOCX with a paragraph for each text, the XML of which is given. */
export const docxOf = (paragraphs: readonly string[], others: readonly ZipPart[] = []): Buffer =>
  zipOf([
    ...others,
    {
      name: 'word/document.xml',
      data: wordXml(paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')),
    },
  ])

/** An ODT with these paragraphs. */
export const odtOf = (paragraphs: readonly string[]): Buffer =>
  zipOf([
    { name: 'mimetype', data: 'application/vnd.oasis.opendocument.text' },
    {
      name: 'content.xml',
      data:
        `${XML}<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ` +
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>' +
        `${paragraphs.map((text) => `<text:p>${text}</text:p>`).join('')}</office:text></office:body></office:document-content>`,
    },
  ])

/** Makes an XLSX with a sheet of this name. The sheet has a row for each pair of a text and a number. */
export const xlsxOf = (sheet: string, rows: readonly [string, number][]): Buffer =>
  zipOf([
    {
      name: 'xl/workbook.xml',
      data: `${XML}<workbook><sheets><sheet name="${sheet}" sheetId="1"/></sheets></workbook>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      data: `${XML}<sst>${rows.map(([text]) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: `${XML}<worksheet><sheetData>${rows
        .map(([, number], i) => `<row><c t="s"><v>${i}</v></c><c><v>${number}</v></c></row>`)
        .join('')}</sheetData></worksheet>`,
    },
  ])

/** Writes objects as a PDF, the first of which is its catalogue. @param trailer more of its trailer */
export const pdfOfObjects = (objects: readonly string[], trailer = ''): Buffer => {
  let text = '%PDF-1.7\n'
  const offsets: number[] = []
  for (const [i, object] of objects.entries()) {
    offsets.push(text.length)
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return Buffer.from(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\n` +
      `startxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}

const stream = (text: string, entries = '') => `<< /Length ${text.length} ${entries} >>\nstream\n${text}\nendstream`

/** A PDF with a page for each text. @param trailer more of its trailer */
export const pdfOf = (pages: readonly string[], trailer = ''): Buffer => {
  const kids = pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')
  return pdfOfObjects(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...pages.flatMap((text, i) => [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + 2 * i} 0 R ` +
          '/Resources << /Font << /F 3 0 R >> >> >>',
        stream(`BT /F 12 Tf 50 700 Td ${lines(text)} ET`),
      ]),
    ],
    trailer,
  )
}

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => `(${line}) Tj 0 -20 Td`)
    .join(' ')
