/** Whether an answer is exactly what its endpoint declares. For tests: production trusts the types. */
import { z } from 'zod'
import type { Endpoint } from './endpoint.js'

/** What is wrong with the fields of an answer, envelope left out; undefined when nothing is. */
export const mismatch = ({ response }: Pick<Endpoint, 'response'>, fields: unknown): string | undefined => {
  const parsed = response.safeParse(fields)
  if (!parsed.success) return z.prettifyError(parsed.error)
  const extra = [...undeclared(fields, parsed.data, '')]
  return extra.length === 0 ? undefined : `not declared: ${extra.slice(0, 20).join(', ')}`
}

/** Paths of the keys that parsing dropped, because no schema knows them. */
function* undeclared(given: unknown, known: unknown, path: string): Iterable<string> {
  if (typeof given !== 'object' || given === null || typeof known !== 'object' || known === null) return
  for (const [key, value] of Object.entries(given)) {
    const inner = Array.isArray(given) ? `${path}[${key}]` : `${path}.${key}`
    if (Object.hasOwn(known, key)) yield* undeclared(value, (known as Record<string, unknown>)[key], inner)
    else if (value !== undefined) yield inner.replace(/^\./, '')
  }
}
