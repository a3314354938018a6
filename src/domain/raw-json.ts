/**
 * JSON text that was built already: an answer, or a part of one, that would be too dear to build anew each time.
 *
 * It marks itself, so that nobody mistakes a plain string for it or quotes it a second time.
 */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The text of any JSON value, prebuilt or not. */
export const jsonText = (value: unknown): string => (value instanceof RawJson ? value.text : JSON.stringify(value))

/** An object whose values may be prebuilt; undefined ones are left out. */
export const rawObject = (fields: Readonly<Record<string, unknown>>): RawJson => {
  const parts: string[] = []
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined) parts.push(`${JSON.stringify(key)}:${jsonText(value)}`)
  }
  return new RawJson(`{${parts.join()}}`)
}

/** A list of prebuilt items. */
export const rawArray = (texts: readonly string[]): RawJson => new RawJson(`[${texts.join()}]`)
