/** The header Accept-Language (RFC 9110 section 12.5.4). */
import { parseParameters } from './header-values.js'

/** A longer header is not of a browser. */
const MAX_LENGTH = 1_000

/** The languages that a client prefers. They are codes of BCP 47, the one with the greatest weight first. */
export const parseAcceptLanguage = (header: string): string[] =>
  header
    .slice(0, MAX_LENGTH)
    .split(',')
    .map((item) => {
      const { value, parameters } = parseParameters(item)
      return { value, weight: Number(parameters.get('q') ?? 1) }
    })
    .filter(({ value, weight }) => value !== '' && value !== '*' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ value }) => value)
