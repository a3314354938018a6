/** Lists in JSON by which the operator sets up providers and directories. */
import { z } from 'zod'

/** The key of an entry: it names it in addresses and for identities. */
export const OperatorKey = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be small letters, digits and hyphens, a letter first')

/**
 * Parses a list whose entries have different keys; an empty text is an empty list. Throws an Error that says what is
 * wrong with the text.
 * @param what what the entries are, for the error
 */
export const parseOperatorList = <T extends { key: string }>(text: string, Entry: z.ZodType<T>, what: string): T[] => {
  if (text.trim() === '') return []
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new Error('must be a list in JSON')
  }
  const parsed = z.array(Entry).safeParse(given)
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error))
  const keys = parsed.data.map(({ key }) => key)
  const twice = keys.find((key, i) => keys.indexOf(key) !== i)
  if (twice !== undefined) throw new Error(`has two ${what} with the key ${twice}`)
  return parsed.data
}
