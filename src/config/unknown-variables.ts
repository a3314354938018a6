/**
 * Variables that this program does not read though they look like its own: an operator who misspelt a name would
 * otherwise get the default in silence.
 *
 * They are warnings and no errors, because the environment contains what other programs and orchestrators set.
 */
import { letterDistance } from '../domain/text/letter-distance.js'

/** Begins of names that belong to this program, in its own environment. */
const OWN_BEGINS = /^(?:PARLEY|S3|SMTP|MAIL|OPERATIONS|CAMO|JWT|WEBHOOK|PREVIEW|UPLOADS?|TRUSTED|GATEWAY|ROOT_REALM)_/
/** What Kubernetes and Docker set for a service of this name. */
const OF_ORCHESTRATORS = /_SERVICE_(?:HOST|PORT)|_PORT_\d+_(?:TCP|UDP)(?:_\w+)?$/
/** Names that others use and that differ in few letters. */
const OF_OTHERS = new Set(['HOSTNAME', 'HOSTS', 'HOME', 'POST', 'PORTS', 'LOG_LEVELS', 'HOSTTYPE'])

/**
 * Lists them, each as a sentence with the name that was probably meant.
 * @param known the names that the program reads
 */
export const findUnknownVariables = (
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] =>
  Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || value === '' || known.includes(name) || OF_OTHERS.has(name)) return []
    if (OF_ORCHESTRATORS.test(name) || value.startsWith('tcp://')) return []
    const nearest = findNearest(name, known)
    if (nearest !== undefined && !isSet(env, nearest)) {
      return `${name}: there is no variable of this name. Did you mean ${nearest}?`
    }
    if (!OWN_BEGINS.test(name) && nearest === undefined) return []
    if (nearest !== undefined) return `${name}: there is no variable of this name. ${nearest} is used.`
    return `${name}: there is no variable of this name. docs/configuration.md lists all variables.`
  })

const isSet = (env: Readonly<Record<string, string | undefined>>, name: string): boolean =>
  env[name] !== undefined && env[name] !== ''

/** The known name that differs least: in one letter of a short name, and in three of a long one. */
const findNearest = (name: string, known: readonly string[]): string | undefined => {
  const plain = [...name.toUpperCase().replace(/^PARLEY_/, '')]
  let [nearest, least]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  for (const one of known) {
    const distance = letterDistance(plain, [...one])
    const allowed = one.length < 6 ? 1 : one.length < 12 ? 2 : 3
    if (distance <= allowed && distance < least) [nearest, least] = [one, distance]
  }
  return nearest
}
