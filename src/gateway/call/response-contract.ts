/** Compares an answer with the response schema of its endpoint. Runs only with NODE_ENV=test. */
import { z } from 'zod'
import type { Endpoint } from './endpoint.js'

/** Describes how an answer without its envelope differs from its declaration. Returns undefined when it does not. */
export const findContractViolation = (
  { response }: Pick<Endpoint, 'response'>,
  fields: unknown,
): string | undefined => {
  const parsed = response.safeParse(fields)
  if (!parsed.success) return z.prettifyError(parsed.error)
  const extra = findUndeclaredPaths(fields, parsed.data).map((path) => path.replace(/^\./, ''))
  return extra.length === 0 ? undefined : `not declared: ${extra.slice(0, 20).join(', ')}`
}

const none: string[] = []

/** The paths of the keys that the schema does not declare, and that parsing therefore dropped. */
const findUndeclaredPaths = (input: unknown, known: unknown): string[] => {
  if (typeof input !== 'object' || input === null || typeof known !== 'object' || known === null) return none
  let paths = none
  for (const key of Object.keys(input)) {
    const value = (input as Record<string, unknown>)[key]
    // zod drops this key from every map.
    if (key === '__proto__') continue
    if (value === undefined || (typeof value !== 'object' && Object.hasOwn(known, key))) continue
    const inner = Object.hasOwn(known, key) ? findUndeclaredPaths(value, (known as Record<string, unknown>)[key]) : ['']
    if (inner.length === 0) continue
    const at = Array.isArray(input) ? `[${key}]` : `.${key}`
    paths = [...paths, ...inner.map((rest) => `${at}${rest}`)]
  }
  return paths
}
