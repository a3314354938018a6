/**
 * Detects in which languages a short text may be written, to choose its stemmers.
 *
 * 1. The result depends on the text alone, so that the index and a direct look at a message agree.
 * 2. The result may have several languages: a few words do not tell Danish from Norwegian.
 * 3. A text has at most MAX_LANGUAGES of them per script, and the first one of the script beside them, so that no word
 *    has more stems in the index.
 */

/** The languages with stems. They are those of Postgres' Snowball stemmers that the package of stemmers has. */
export const languages = [
  'ar',
  'da',
  'de',
  'el',
  'en',
  'es',
  'fi',
  'fr',
  'ga',
  'hi',
  'hu',
  'hy',
  'id',
  'it',
  'lt',
  'ne',
  'nl',
  'no',
  'pt',
  'ro',
  'ru',
  'sr',
  'sv',
  'ta',
  'tr',
] as const

/** A language with stems, as its code of ISO 639-1. */
export type Language = (typeof languages)[number]

/** Scripts that tell words of different languages apart. */
type Script = 'latin' | 'cyrillic' | 'arabic' | 'devanagari' | 'greek' | 'armenian' | 'tamil'

const scripts: readonly (readonly [Script, RegExp])[] = [
  ['latin', /\p{Script=Latin}/u],
  ['cyrillic', /\p{Script=Cyrillic}/u],
  ['arabic', /\p{Script=Arabic}/u],
  ['devanagari', /\p{Script=Devanagari}/u],
  ['greek', /\p{Script=Greek}/u],
  ['armenian', /\p{Script=Armenian}/u],
  ['tamil', /\p{Script=Tamil}/u],
]

/** The languages of each script; the first one is assumed without evidence. */
const languagesByScript: Readonly<Record<Script, readonly Language[]>> = {
  latin: ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'no', 'fi', 'hu', 'ro', 'tr', 'id', 'lt', 'ga', 'sr'],
  cyrillic: ['ru', 'sr'],
  arabic: ['ar'],
  devanagari: ['hi', 'ne'],
  greek: ['el'],
  armenian: ['hy'],
  tamil: ['ta'],
}

/** Returns the script of a word by its first letter; undefined: one of which no language has stems. */
const scriptOf = (word: string): Script | undefined => {
  // Nearly all words.
  if (/^[a-z]/.test(word)) return 'latin'
  return scripts.find(([, pattern]) => pattern.test(word))?.[0]
}

/** Returns the languages to which a word can belong by its script. */
export const languagesOfWord = (word: string): readonly Language[] => {
  const script = scriptOf(word)
  return script === undefined ? [] : languagesByScript[script]
}

/** The commonest words of each language, without those that are common nouns or verbs of another one. */
const commonWords: Partial<Record<Language, string>> = {
  en: `the of and to is that it for was on are with as they be at this have from or had by but not what all were we
    when your can said there an each which she do how their if will up other about out then them these would
    has him into could did my than been who its now our after just where most know get through back much before
    you he his i me us am should don't it's please let's any some here why yes thanks`,
  de: `der die das und ist nicht ich sie es wir ihr ein eine einen einem einer den dem des mit auf für von zu im sind
    auch sich aus bei nach wie wenn oder aber noch nur als wird werden wurde haben hat hatte kann über zum zur vor
    dass durch schon mehr man mir mich dich uns euch unser bitte heute morgen hier was wer keine kein mein dein`,
  fr: `de à d l qu le la les des et est un une que qui dans pour pas sur avec ce cette ces il elle nous vous ils elles je tu on
    au aux du en mais ou où par plus sont été être avoir ont fait comme tout tous leur leurs son sa ses mon ma mes
    ne se y j'ai c'est très bien aussi sans merci`,
  es: `la de a su el los las y es un una que en por para con no se del al lo como más pero sus le ya este esta estos estas sí
    porque son entre cuando muy sin sobre también me hasta hay donde quien desde todo todos nos durante uno ni
    contra ese eso ante ellos está están fue ser tiene gracias hoy`,
  it: `la le i in a dell all l ho il lo gli e è un una uno che di del della dei delle nel nella per con non si sono alla al dal come più ma anche
    questo questa questi queste ha hanno quando molto suo sua loro noi voi io tu ci chi dove perché ogni essere
    fare stato grazie oggi sul sulla`,
  pt: `de a o os as e é um uma que em do da dos das no na nos nas por para com não se mais como mas foi ao ele ela eles seu
    sua ou ser quando muito há já está eu também só pelo pela até isso entre era depois sem mesmo aos ter seus quem
    meu minha você obrigado hoje são`,
  nl: `de het een en van ik te dat die in is niet zijn op aan met als voor had er maar om hem dan zou wat mijn men dit
    zo door over ze zich bij ook tot je mij uit der daar haar naar heb hoe heeft hebben deze want nog wordt wij we
    jullie geen kunnen moet vandaag graag bedankt worden werd`,
  sv: `och det att i en jag hon som han på den med var sig för så till är men ett om hade de av icke mig du henne då
    sin nu har inte hans honom skulle hennes där min man ej vid kunde något från ut när efter upp vi dem vara vad
    över än dig kan sina här ha mot alla under någon eller allt mycket sedan denna detta oss ni idag tack`,
  da: `og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min havde ham hun
    nu over da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev kunne ind når være dog
    noget ville jo deres efter ned skulle denne dette også nogle hvordan tak blive mellem hver`,
  no: `og i jeg det at en et den til er som på de med han av ikke der så var meg seg men har om vi min mitt ha hadde
    hun nå over da ved fra du ut sin dem oss opp man kan hans hvor eller hva skal selv her alle vil bli ble blitt
    kunne inn når være kom noen noe ville dere dette denne også etter mellom noen hvordan takk`,
  fi: `ja on ei että se hän mutta ovat oli joka kun niin kuin myös jos tämä tämän minä sinä me te he ne olen olet
    olemme ole olla siis nyt vain sitten vielä kanssa mikä mitä kuka tai sekä jo hyvin koska voi kaikki ollut
    tänään kiitos minun sinun siitä sen`,
  hu: `a az és hogy nem is egy van volt meg de ez csak már még mint ha ami aki vagy ki mi azt ezt ezek azok majd
    minden lesz után előtt között amely ők én te ő mert itt ott nagyon kell lehet nincs igen köszönöm ma mai`,
  ro: `a și în de la cu pe nu este un o că se din care pentru sunt mai să fost ce au am ai ale cum dar sau după între
    foarte când unde prin fi ei ea el noi voi lui lor acest această aceste acesta către fără astăzi mulțumesc`,
  tr: `ve bir bu da de için ile çok ama ne gibi daha o ben sen biz siz onlar değil var yok mı mi mu mü olarak kadar
    sonra her en olan oldu olduğu ki ya şu hem veya nasıl neden bugün lütfen teşekkürler ise diye`,
  id: `yang dan di ke dari untuk dengan pada ini itu adalah tidak akan dalam juga saya kami kita anda mereka dia
    atau sudah telah ada bisa oleh karena lebih seperti harus belum sedang para hari jika kalau terima kasih`,
  lt: `ir yra kad į su iš tai bet ar kaip per po apie jis ji mes jūs aš tu nėra buvo dar tik už nuo prie kai arba
    labai jau gali šis ši tas ta šiandien ačiū`,
  ga: `agus an na is tá ar ag le go i sé sí mé tú ní níl bhí do don ach nó mar seo sin ó faoi gach bhfuil sibh siad
    inniu maith`,
  sr: `i je u na se da za od sa su ne što kako ali ili iz koji koja koje biti bio će nije ovo to mi vi oni ona on
    и је у на се да за од са су не што како али или из који која које бити био ће није ово то ми ви они она он`,
  ru: `и в не на я что он с как это по но они мы вы из у за от так же для о был была было есть все если когда или
    уже бы его её их только до при еще ещё нет да мне тебя вас нас где кто этот эта эти быть после через сегодня`,
  hi: `के का की है में और से को पर यह वह हैं था थी थे नहीं एक ने कि भी हो कर तो ही या आप हम मैं लिए साथ इस उस जो`,
  ne: `छ र को मा ले लाई हो यो त्यो छन् थियो पनि गर्न भने हामी म तपाईं एक छैन का की बाट संग`,
}

/** Letters that belong to few languages. */
const letters: readonly (readonly [RegExp, readonly Language[]])[] = [
  [/ß/, ['de']],
  [/[äö]/, ['de', 'sv', 'fi', 'hu', 'tr']],
  [/ü/, ['de', 'tr', 'hu', 'es']],
  [/å/, ['sv', 'da', 'no']],
  [/[æø]/, ['da', 'no']],
  [/[èêâîûùœ]/, ['fr', 'it', 'pt', 'ro']],
  [/ç/, ['fr', 'pt', 'tr']],
  [/é/, ['fr', 'es', 'hu', 'pt', 'ga']],
  [/[áíóú]/, ['es', 'pt', 'hu', 'ga']],
  [/[ñ¿¡]/, ['es']],
  [/[ãõ]/, ['pt']],
  [/[ìò]/, ['it']],
  [/à/, ['fr', 'it', 'pt']],
  [/[őű]/, ['hu']],
  [/[ășț]/, ['ro']],
  [/[ğış]/, ['tr']],
  [/[ąčęėįšųūž]/, ['lt', 'sr']],
  [/[ćđ]/, ['sr']],
  [/[ђјљњћџ]/, ['sr']],
  [/[ыэё]/, ['ru']],
  [/[щъ]/, ['ru']],
]

const buildLexicon = (): ReadonlyMap<string, readonly Language[]> => {
  const lexicon = new Map<string, Language[]>()
  for (const [language, words] of Object.entries(commonWords) as [Language, string][])
    for (const word of new Set(words.trim().split(/\s+/))) {
      const cached = lexicon.get(word)
      if (cached === undefined) lexicon.set(word, [language])
      else cached.push(language)
    }
  return lexicon
}

const lexicon = buildLexicon()

/** The greatest number of languages of a text in one script (3). */
const MAX_LANGUAGES = 3
/** Words that are looked at: more change the result seldom. */
const MAX_WORDS = 400
/** What a letter of a language weighs beside one of its common words. */
const LETTER_WEIGHT = 0.7
/** With less evidence, a text may be English beside other languages: a few words prove little. */
const CERTAIN = 3
/** A language remains with this part of the evidence for the likeliest one. */
const RIVAL = 0.6

/** Detects the languages of a text. @param words its words in lower case, in NFC */
export const detectLanguages = (words: readonly string[]): ReadonlySet<Language> => {
  const evidence = new Map<Language, number>()
  const found = new Set<Script>()
  const add = (language: Language, weight: number) => evidence.set(language, (evidence.get(language) ?? 0) + weight)
  for (const word of words.slice(0, MAX_WORDS)) {
    const script = scriptOf(word)
    if (script === undefined) continue
    found.add(script)
    for (const language of lexicon.get(word) ?? []) add(language, 1)
    if (/^[a-z0-9]*$/.test(word)) continue
    for (const [pattern, itsLanguages] of letters)
      if (pattern.test(word)) for (const language of itsLanguages) add(language, LETTER_WEIGHT)
  }
  const detected = new Set<Language>()
  for (const script of found) for (const language of likeliest(script, evidence)) detected.add(language)
  return detected
}

const likeliest = (script: Script, evidence: ReadonlyMap<Language, number>): readonly Language[] => {
  const candidates = languagesByScript[script]
  const best = Math.max(...candidates.map((language) => evidence.get(language) ?? 0))
  if (best === 0) return candidates.slice(0, 1)
  const likely = candidates
    .filter((language) => (evidence.get(language) ?? 0) >= best * RIVAL)
    .sort((a, b) => (evidence.get(b) ?? 0) - (evidence.get(a) ?? 0))
    .slice(0, MAX_LANGUAGES)
  return best < CERTAIN ? [...likely, candidates[0] as Language] : likely
}

/** Whether a word is one of the commonest words of one of these languages. */
export const isCommonWord = (word: string, among: ReadonlySet<Language>): boolean =>
  (lexicon.get(word) ?? []).some((language) => among.has(language))
