/** The words of a text and the terms of a query: which texts a query finds, and where. No database. */
import { expect, test } from 'vitest'
import { findHits, indexForms, matchesQuery } from '../../src/domain/search/match.js'
import { parseSearch } from '../../src/domain/search/query.js'
import { forgetStems } from '../../src/domain/search/stems.js'
import { stemForms, tokenize } from '../../src/domain/search/tokenize.js'

/** The hits of a query in a text; null: the text does not match. */
const hitsIn = (text: string, search: string): string[] | null => {
  const index = indexForms(tokenize(text))
  const query = parseSearch(search)
  return matchesQuery(index, query) ? findHits(index, query).map(({ start, end }) => text.slice(start, end)) : null
}

test('A word is found beside punctuation of every kind.', () => {
  const texts = [
    'a quince’s core', '“quince” is', '‘quince’', '„quince“', '«quince»', '¿quince?', 'pre—quince—post', 'quince–x',
    'quince… ok', 'quince，x', '（quince）', 'a\u00a0quince\u00a0b', '•quince', 'quince→x', 'sess.quince', 'see quince.txt',
    'quince.medlar()', 'Quince/Medlar, Theta', '/usr/quince/lib', 'quince_medlar', '#quince', '「quince」',
  ] // biome-ignore format: one line per case is too long
  expect(texts.filter((text) => hitsIn(text, 'quince')?.join().toLowerCase() !== 'quince')).toEqual([])
  expect(hitsIn('https://www.example.com/quince4?a=1&b=2', 'quince')).toEqual(['quince4'])
  expect(hitsIn('the quinceMedlar', 'medlar')).toEqual(['Medlar'])
  expect(hitsIn('qu\u00adince', 'quince')).toEqual(['qu\u00adince'])
})

test.each([
  ['to be or not to be', '"to be or not to be"', ['to be or not to be']],
  ['not to be or to be', '"to be or not to be"', null],
  ['AT&T rocks at t', 'AT&T', ['AT&T', 'at t']],
  ['it’s here', "it's", ['it’s']],
  ['one t-shirt', 't-shirts', ['t-shirt']],
  ['shirt and t', 't-shirt', null],
  ['see PLT-3699 soon', '“PLT-3699”', ['PLT-3699']],
  ['https://www.example.com/quince4?a=1&b=2', 'www.example.com/quince4?a=1&b=2', ['www.example.com/quince4?a=1&b=2']],
  ['the e-mail', 'email', ['e-mail']],
  ['the email', 'e-mail', ['email']],
  ['c++ and c', 'c++', ['c++']],
  ['plain c', 'c++', null],
  ['Kernel panic in a kernel', '"kernel panic"', ['Kernel panic']],
  ['cafe\u0301 au lait', 'café', ['cafe\u0301']],
  ['café au lait', 'cafe', ['café']],
  ['the cafe', 'café', ['cafe']],
  ['STRASSE', 'straße', ['STRASSE']],
  ['Herr Müller', 'mueller', ['Müller']],
  ['Die Haustüren sind zu', 'tür', ['türen']],
  ['Wir haben die Häuser gesehen', 'Haus', ['Häuser']],
  ['nous avons lu des livres', 'livre', ['livres']],
  ['près de l’école', 'l’ecole', ['école']],
  ['мы читаем книги', 'книгами', ['книги']],
  ['我们明天去北京开会。', '北京', ['北京']],
  ['我们明天去北京开会。', '京', ['京']],
  ['我们明天去北京开会。', '京北', null],
  ['明日の会議を東京で開きます', '会議', ['会議']],
  ['부산에서 만나요', '부산', ['부산']],
  ['부산에서 만나요'.normalize('NFD'), '부산', ['부산'.normalize('NFD')]],
  ['การประชุมวันนี้', 'ประชุม', ['ประชุม']],
  ['searching for it', 'sea', ['searching']],
  ['searching for it', 'sea it', null],
  ['searching for it', 'sea* for', ['searching']],
  ['the servers', 'the server', ['servers']],
  ['a server', 'the server', ['server']],
  ['the other', 'the', ['the']],
  ['words', '“ ” …', null],
])('In %j, the search %j finds %j.', (text, search, hits) => {
  expect(hitsIn(text, search)).toEqual(hits)
})

test('Every stemmer takes any word of its script, and its result does not depend on earlier words.', () => {
  const alphabets = [
    'abcdefghijklmnopqrstuvwxyzäöüßéèçñåøæğışőűàìòćčžšëîșț',
    'абвгдежзийклмнопрстуфхцчшщъыьэюяіїђљњћџ',
    'ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءأإآؤئ',
  ]
  const more = [
    'αβγδεζηθικλμνξοπρστυφχψωάέήίόύώς',
    'अआइईउऊएऐओऔकखगघचछजझटठडढतथदधनपफबभमयरलवशषसहािीुूेैोौंँ्',
    'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆու',
    'அஆஇஈஉஊஎஏஐஒஓஔகஙசஞடணதநபமயரலவழளறனாிீுூெேைொோௌ்',
  ]
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const words = [...alphabets, ...more].flatMap((alphabet) => {
    const letters = [...alphabet]
    return Array.from({ length: 400 }, () =>
      Array.from({ length: 1 + random(14) }, () => letters[random(letters.length)]).join(''),
    )
  })
  const stems = words.map((word) => stemForms(word).join())
  expect(stems.filter((stem) => stem === '').length).toBeLessThan(words.length / 5)
  forgetStems()
  expect(words.toReversed().map((word) => stemForms(word).join())).toEqual(stems.toReversed())
})
