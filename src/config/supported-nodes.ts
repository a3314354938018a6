/** The majors of Node that Parley runs on: those that uWebSockets.js has a build for, and that are still supported. */
export const supportedNodes: readonly number[] = [22, 24]

/** Says why Parley does not run on a version of Node; undefined if it does. */
export const explainUnsupportedNode = (version: string): string | undefined => {
  if (supportedNodes.includes(Number.parseInt(version, 10))) return undefined
  return `Parley runs on Node ${supportedNodes.join(' and ')}; this is Node ${version}. See https://nodejs.org/en/download`
}
