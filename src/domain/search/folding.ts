/** Writes words in one form, whatever their case, their accents and their encoding. */

/** Letters that do not decompose, and their form in the index. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ς: 'σ',
  ѐ: 'е',
  ё: 'е',
  ѝ: 'и',
  ґ: 'г',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
}

const ascii = /^[a-z0-9]*$/
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')
/** Default-ignorable characters, such as soft hyphens and joiners, and the stretching of Arabic words. */
const unseen = /[\p{Default_Ignorable_Code_Point}\u0640]/gu
/** Points of Hebrew and Arabic, and stress marks that no letter contains. */
const points = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]|\u0300|\u0301/g
const accented = /[\p{Script=Latin}\p{Script=Greek}]/u
const accents = /[\u0300-\u036f]/g

/** Returns a word in lower case and in NFC, with its accents. This is the form for stemmers. */
export const lowerWord = (word: string): string => {
  const lower = word.toLowerCase()
  return ascii.test(lower) ? lower : lower.normalize('NFKC').replace(unseen, '').toLowerCase().normalize('NFC')
}

/** Returns a word without its accents. @param word as `lowerWord` returns it */
export const foldWord = (word: string): string => {
  if (ascii.test(word)) return word
  const bare = accented.test(word) ? word.normalize('NFD').replace(accents, '').normalize('NFC') : word
  return bare.replace(points, '').replace(special, (letter) => letters[letter] ?? letter)
}

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

/**
 * Returns how a word is written without umlauts, such as `mueller`. Returns undefined if it has none.
 * @param word as above
 */
export const spellOut = (word: string): string | undefined =>
  ascii.test(word) || !/[äöüåø]/.test(word)
    ? undefined
    : foldWord(word.replace(/[äöüåø]/g, (letter) => umlauts[letter] ?? letter))
