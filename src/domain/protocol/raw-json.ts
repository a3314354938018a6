/**
 * JSON text that was built already: an answer, or a part of one, that would be too dear to build anew each time.
 *
 * It marks itself, so that nobody mistakes a plain string for it or quotes it a second time. The brackets stand apart,
 * because putting members into another object must not copy megabytes to cut two characters off.
 */
export class RawJson {
  /** what is between the brackets: members or items, separated by commas */
  readonly inside: string
  readonly #brackets: '{}' | '[]'

  constructor(brackets: '{}' | '[]', inside: string) {
    this.#brackets = brackets
    this.inside = inside
  }

  get text(): string {
    return `${this.#brackets[0]}${this.inside}${this.#brackets[1]}`
  }
}

/** The text of any JSON value, prebuilt or not. */
export const toJsonText = (value: unknown): string => (value instanceof RawJson ? value.text : JSON.stringify(value))

/** One member of an object: `"key":value`. */
export const rawMember = (key: string, value: unknown): string => `"${key}":${toJsonText(value)}`

/** An object whose values may be prebuilt; undefined ones are left out. Keys are our own names: nothing to escape. */
export const rawObject = (fields: Readonly<Record<string, unknown>>): RawJson => {
  const members: string[] = []
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) members.push(rawMember(key, value))
  return rawMembers(members)
}

/** An object of prebuilt members. */
export const rawMembers = (members: readonly string[]): RawJson => new RawJson('{}', members.join())

/** A list of prebuilt items. */
export const rawArray = (texts: readonly string[]): RawJson => new RawJson('[]', texts.join())

/** An object that was built as a whole. */
export const rawText = (text: string): RawJson => new RawJson('{}', text.slice(1, -1))
