/** The words of uploaded documents, and of hostile ones, as the process reads them that also decodes images. */
import { afterAll, describe, expect, test } from 'vitest'
import { readDocumentWords } from '../../src/store/files/document-reading.js'
import { openImageDecoder } from '../../src/store/files/image-decoder.js'
import { readInThread } from '../../src/store/files/text/text-operations.js'
import { docxOf, odtOf, pdfOf, pdfOfObjects, wordXml, xlsxOf, zipOf } from '../setup/web/documents.js'

const faults: Error[] = []
const decoder = openImageDecoder((error) => faults.push(error))
afterAll(() => {
  decoder.close()
  expect(faults).toEqual([])
})

/** The words of the document, without their stems. */
const wordsOf = async (bytes: Uint8Array): Promise<string[]> => {
  const words = await readDocumentWords({ decoder, account: '1:1' }, 7, '', async () => bytes)
  return [...(words?.vector ?? '').matchAll(/'7:([^']*)'/g)].map(([, word = '']) => word)
}

describe('The text of a document', () => {
  test.each<[name: string, bytes: Uint8Array, words: string]>([
    ['a text', Buffer.from('A quince,\r\nnaïve—東京'), 'a quince naive 東京 京'],
    ['a text in UTF-16', Buffer.from('\ufeffquince é', 'utf16le'), 'quince e'],
    ['a text in an old encoding', Buffer.from('quince caf\xe9 na\xefve', 'latin1'), 'quince cafe naive'],
    ['Markdown', Buffer.from('# Quince\n\n- *medlar*'), 'quince medlar'],
    [
      'HTML',
      Buffer.from('<!doctype html><title>Quince</title><script>lost()</script><p>med<b>lar</b></p><p>a&amp;b'),
      'quince medlar a b',
    ],
    ['a PDF', pdfOf(['A quince jelly', 'sets in med-\nlar juice']), 'a quince jelly sets in medlar juice'],
    ['a DOCX', docxOf(['A quince &amp; a', 'm</w:t></w:r><w:r><w:t>edlar']), 'a quince medlar'],
    ['an ODT', odtOf(['A quince', 'med<text:span>lar</text:span>']), 'a quince medlar'],
    [
      'an XLSX',
      xlsxOf('Fruit', [
        ['quince', 4711],
        ['med lar', 12.5],
      ]),
      'fruit quince med lar 4711 12 5',
    ],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR quince', 'latin1'), ''],
    ['an empty file', new Uint8Array(), ''],
  ])('%s is read by its bytes, whatever its name is.', async (_, bytes, words) => {
    expect((await wordsOf(bytes)).join(' ')).toBe(words)
  })

  test('Text that was deleted in a document, and the numbers of shared texts, are not its text.', async () => {
    const changed = wordXml(
      '<w:p><w:r><w:t>kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>',
    )
    expect(await wordsOf(zipOf([{ name: 'word/document.xml', data: changed }]))).toEqual(['kept'])
    expect(await wordsOf(xlsxOf('s', [['only', 7]]))).toEqual(['s', 'only', '7'])
  })

  test('The words of a book fit into the index, with the name of its file.', async () => {
    const book = Buffer.from(Array.from({ length: 120_000 }, (_, i) => `w${i.toString(36)}x`).join(' '))
    const { vector = '' } = (await readDocumentWords({ decoder, account: '1:1' }, 7, 'big.txt', async () => book)) ?? {}
    const begins = [`'7:big':1 `, `'7:txt':2 `, `'7:w0x':3 `].map((word) => vector.indexOf(word))
    expect(begins.filter((at) => at < 0 || at > 100)).toEqual([])
    expect([vector.length > 500_000, vector.length < 1_000_000]).toEqual([true, true])
  })
})

describe('A hostile document', () => {
  test('A ZIP that unpacks to a gigabyte is read up to a limit, whatever size it declares.', async () => {
    const bomb = wordXml(`<w:p><w:r><w:t>quince${' '.repeat(100 * 1024 * 1024)}</w:t></w:r></w:p>`)
    expect(await wordsOf(zipOf([{ name: 'word/document.xml', data: bomb }]))).toEqual(['quince'])
    const lie = wordXml(`<w:p><w:r><w:t>quince${' '.repeat(1024 * 1024)}</w:t></w:r></w:p>`)
    const lying = zipOf([{ name: 'word/document.xml', data: lie, declares: 100 }])
    expect(['quince', '']).toContain((await wordsOf(lying)).join(' '))
  })

  test('A ZIP with the same part under many names unpacks to no more than the limit.', async () => {
    const part = wordXml(`<w:p>${'<w:x/>'.repeat(100_000)}</w:p>`)
    const parts = Array.from({ length: 300 }, (_, i) => ({ name: `word/header${i}.xml`, data: i === 0 ? part : '' }))
    const [first = { name: '', data: '' }] = parts
    const bytes = zipOf([{ name: 'word/document.xml', data: wordXml('<w:p><w:t>quince</w:t></w:p>') }, ...parts])
    expect(await wordsOf(bytes)).toEqual(['quince'])
    expect(await wordsOf(zipOf(Array.from({ length: 50 }, () => first)))).toEqual([])
  })

  test('Entities that a document declares are not expanded, and none reads a file.', async () => {
    const declared = [
      '<!DOCTYPE w:document [<!ENTITY a "quince"><!ENTITY file SYSTEM "file:///etc/passwd">',
      ...['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(
        (name, i) => `<!ENTITY ${name} "${`&${'abcdefgh'[i]};`.repeat(10)}">`,
      ),
      ']>',
    ].join('')
    const body = wordXml('<w:p><w:r><w:t>medlar &i; &file;</w:t></w:r></w:p>').replace('?>', `?>${declared}`)
    const words = await wordsOf(zipOf([{ name: 'word/document.xml', data: body }]))
    expect(words).toContain('medlar')
    expect(words.join(' ').length).toBeLessThan(1_000)
    expect(words.join(' ')).not.toContain('root:')
  })

  test('A PDF whose pages or drawings contain themselves ends.', async () => {
    const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
    const endless = pdfOfObjects([catalog, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2000000000 >>'])
    expect(await wordsOf(endless)).toEqual([])
    const drawing = (name: string) => `<< /Length 7 ${name} >>\nstream\n/X Do /X Do\nendstream`
    const recursive = pdfOfObjects([
      catalog,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>',
      drawing(''),
      drawing('/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>'),
    ])
    expect(await wordsOf(recursive)).toEqual([])
  })

  test('A document with a password has no text.', async () => {
    const secret =
      '<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <0102030405060708091011121314151617181920212223242526272829303132> /U <3132333435363738394041424344454647484950515253545556575859606162> >>'
    expect(await wordsOf(pdfOf(['quince'], `/Encrypt ${secret} /ID [<00> <00>]`))).toEqual([])
    const name = 'word/document.xml'
    expect(await wordsOf(zipOf([{ name, data: wordXml('<w:p><w:t>quince</w:t></w:p>'), flags: 1 }]))).toEqual([])
    expect(await wordsOf(Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00quince', 'latin1'))).toEqual([])
  })

  test.each<[string, Uint8Array]>([
    ['DOCX', docxOf(['quince'])],
    ['XLSX', xlsxOf('s', [['quince', 1]])],
    ['PDF', pdfOf(['quince'])],
  ])('A %s that is cut off anywhere is no error.', async (_, bytes) => {
    for (const part of [0.3, 0.95]) {
      expect(['quince', '']).toContain((await wordsOf(bytes.subarray(0, bytes.length * part))).join(' '))
    }
  })

  test('Names that lead out of a ZIP write nothing, and the other parts are read.', async () => {
    const names = ['../../tmp/parley-zip', '/tmp/parley-zip', 'C:\\parley-zip', 'word/../word/document.xml']
    const parts = names.map((name) => ({ name, data: wordXml('<w:p><w:t>medlar</w:t></w:p>') }))
    for (const part of parts) expect(await wordsOf(docxOf(['quince'], [part]))).not.toContain('medlar')
  })

  test('A document whose elements are too deep in each other is read up to there.', async () => {
    const deep = `<w:p><w:t>quince</w:t></w:p>${'<w:p>'.repeat(500_000)}<w:t>medlar</w:t>`
    expect(await wordsOf(zipOf([{ name: 'word/document.xml', data: wordXml(deep) }]))).toEqual(['quince'])
  })

  test('A document that takes too much time or memory has no text.', async () => {
    const slow = pdfOf(Array.from({ length: 300 }, () => 'quince '.repeat(500)))
    const limits = { max_cpu_ms: 60_000, max_heap_mib: 256 }
    const input = { realm_id: 7, name: '' }
    expect(await readInThread({ ...input, bytes: slow }, { ...limits, max_cpu_ms: 100 })).toBeUndefined()
    const large = Buffer.from(`<html>${'<b>'.repeat(900)}${'quince <br>'.repeat(60_000)}`)
    expect(await readInThread({ ...input, bytes: large }, { ...limits, max_heap_mib: 8 })).toBeUndefined()
    expect(await wordsOf(docxOf(['quince']))).toEqual(['quince'])
  })
})
