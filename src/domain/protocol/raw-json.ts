/**
 * Prebuilt JSON text: a response, or a part of one, that is too expensive to build for each request.
 *
 * It is a class of its own, so that it cannot be confused with a string and encoded a second time. The brackets are
 * stored separately: inserting the members into another object would otherwise copy megabytes to remove two characters.
 */

/** Text that many answers contain. It is encoded once, and the gateway compresses it once. */
export class SharedText {
  readonly bytes: Uint8Array

  constructor(text: string) {
    this.bytes = Buffer.from(text)
  }

  get text(): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength).toString()
  }
}

/** A part of a shared text, for an answer that does not have all of it. Its bytes are copied, and not encoded again. */
export class TextSlice {
  readonly bytes: Uint8Array

  /**
   * @param start of its first byte in the shared text
   * @param end of the byte after its last one
   */
  constructor(shared: SharedText, start: number, end: number) {
    this.bytes = shared.bytes.subarray(start, end)
  }

  get text(): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength).toString()
  }
}

/** Objects of a list that many answers contain, as shared text. Other answers get parts of its bytes. */
export class SharedObjects {
  /** all of them, with commas between them */
  readonly text: SharedText
  readonly #count: number
  /** where each object begins in the bytes of `text`, and where one more would begin */
  readonly #offsets: number[] = [0]

  constructor(objects: readonly string[]) {
    this.text = new SharedText(objects.join())
    this.#count = objects.length
    let offset = 0
    for (const object of objects) {
      offset += Buffer.byteLength(object) + 1
      this.#offsets.push(offset)
    }
  }

  /** The objects from position `start` on, before `end`, with commas between them. At least one. */
  slice(start: number, end: number): TextSlice {
    return new TextSlice(this.text, this.#offset(start), this.#offset(end) - 1)
  }

  /** One object without its closing brace, for members to follow. */
  open(position: number): TextSlice {
    return new TextSlice(this.text, this.#offset(position), this.#offset(position + 1) - 2)
  }

  /** All objects, with another one at this position. */
  replace(position: number, object: string): Fragment[] {
    return separateFragments([
      ...(position === 0 ? [] : [[this.slice(0, position)]]),
      [object],
      ...(position === this.#count - 1 ? [] : [[this.slice(position + 1, this.#count)]]),
    ])
  }

  #offset(position: number): number {
    return this.#offsets[position] ?? 0
  }
}

/** Text with a secret. It is not compressed: the length of an answer must tell nothing about it (gzip.ts). */
export class SecretText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A part of JSON text. A part by itself need not be valid JSON. */
export type Fragment = string | SharedText | TextSlice | SecretText

const toText = (fragment: Fragment): string => (typeof fragment === 'string' ? fragment : fragment.text)

/** Returns the text of all fragments together. */
export const joinFragments = (fragments: readonly Fragment[]): string => fragments.map(toText).join('')

/** Returns the fragments of members or items, with commas between them. */
export const separateFragments = (items: readonly (readonly Fragment[])[]): Fragment[] => {
  // Not flatMap, which takes twenty times as long for the thousand fragments of a registration.
  const separated: Fragment[] = []
  for (const [i, fragments] of items.entries()) {
    if (i > 0) separated.push(',')
    for (const fragment of fragments) separated.push(fragment)
  }
  return separated
}

/** Reads the first member of this key that is a fragment by itself. Returns undefined if there is none. */
export const readMember = (fragments: readonly Fragment[], key: string): unknown => {
  const start = `"${key}":`
  const member = fragments.find(
    (fragment): fragment is string => typeof fragment === 'string' && fragment.startsWith(start),
  )
  return member === undefined ? undefined : JSON.parse(member.slice(start.length))
}

/** Prebuilt JSON (see above). */
export class RawJson {
  readonly #brackets: '{}' | '[]'
  #inside: string | readonly Fragment[]

  /** @param inside the members or items with the commas between them */
  constructor(brackets: '{}' | '[]', inside: string | readonly Fragment[]) {
    this.#brackets = brackets
    this.#inside = inside
  }

  /** the text between the brackets: members or items, separated by commas */
  get inside(): string {
    return typeof this.#inside === 'string' ? this.#inside : joinFragments(this.#inside)
  }

  /** the fragments between the brackets; undefined: all of it is one text */
  get piecesInside(): readonly Fragment[] | undefined {
    return typeof this.#inside === 'string' ? undefined : this.#inside
  }

  get text(): string {
    return `${this.#brackets[0]}${this.inside}${this.#brackets[1]}`
  }

  /** Forgets the text. Only for who built it, or sent it as the last one to read it. */
  release(): void {
    this.#inside = ''
  }

  get fragments(): readonly Fragment[] {
    const { piecesInside } = this
    return piecesInside === undefined
      ? [this.text]
      : [this.#brackets[0] as string, ...piecesInside, this.#brackets[1] as string]
  }
}

/** Returns the text of an object that has members, with more members after them. */
export const addMembers = (object: string, members: string): string => `${object.slice(0, -1)},${members}}`

/** Returns the JSON text of a value, prebuilt or not. */
export const toJsonText = (value: unknown): string => (value instanceof RawJson ? value.text : JSON.stringify(value))

/** Returns the text of one member of an object: `"key":value`. */
export const rawMember = (key: string, value: unknown): string => `"${key}":${toJsonText(value)}`

/** Returns the fragments of one member of an object. */
export const memberFragments = (key: string, value: unknown): readonly Fragment[] =>
  value instanceof RawJson && value.piecesInside !== undefined
    ? [`"${key}":`, ...value.fragments]
    : [rawMember(key, value)]

/**
 * Builds an object whose values can be prebuilt. Undefined values are left out. Keys are not escaped, because they are
 * constants of this program.
 */
export const rawObject = (fields: Readonly<Record<string, unknown>>): RawJson => {
  const members: string[] = []
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) members.push(rawMember(key, value))
  return rawMembers(members)
}

/** Builds an object of prebuilt members. */
export const rawMembers = (members: readonly string[]): RawJson => new RawJson('{}', members.join())

/** Builds an object of prebuilt members, each a list of fragments. */
export const rawMembersOfFragments = (members: readonly (readonly Fragment[])[]): RawJson =>
  new RawJson('{}', separateFragments(members))

/** Builds a list of prebuilt items. */
export const rawArray = (texts: readonly string[]): RawJson => new RawJson('[]', texts.join())

/** Wraps the text of a whole object, brackets included. */
export const rawText = (text: string): RawJson => new RawJson('{}', text.slice(1, -1))
