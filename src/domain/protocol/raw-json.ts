/**
 * Prebuilt JSON text: a response, or a part of one, that is too expensive to build for each request.
 *
 * It is a class of its own, so that it cannot be confused with a string and encoded a second time. The brackets are
 * stored separately: inserting the members into another object would otherwise copy megabytes to remove two characters.
 */
export class RawJson {
  /** the text between the brackets: members or items, separated by commas */
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

/** Returns the JSON text of a value, prebuilt or not. */
export const toJsonText = (value: unknown): string => (value instanceof RawJson ? value.text : JSON.stringify(value))

/** Returns the text of one member of an object: `"key":value`. */
export const rawMember = (key: string, value: unknown): string => `"${key}":${toJsonText(value)}`

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

/** Builds a list of prebuilt items. */
export const rawArray = (texts: readonly string[]): RawJson => new RawJson('[]', texts.join())

/** Wraps the text of a whole object, brackets included. */
export const rawText = (text: string): RawJson => new RawJson('{}', text.slice(1, -1))
