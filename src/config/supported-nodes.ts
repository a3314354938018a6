/**
 * The oldest minor of each major of Node that Parley runs on: uWebSockets.js has a build for them, and their makers
 * support them. package.json states the same.
 */
const oldestMinors: ReadonlyMap<number, number> = new Map([
  [22, 12],
  [24, 0],
])

/** Says why Parley does not run on a version of Node; undefined if it does. */
export const explainUnsupportedNode = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (minor >= (oldestMinors.get(major) ?? Number.POSITIVE_INFINITY)) return undefined
  return `Parley runs on Node 24, and on Node 22 from 22.12 on; this is Node ${version}. See https://nodejs.org/en/download`
}
