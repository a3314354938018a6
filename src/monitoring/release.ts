/** The release that this process runs: the version of the package, and which build of it. */
import { readFileSync } from 'node:fs'

const readBeside = (path: string): string | undefined => {
  try {
    return readFileSync(new URL(path, import.meta.url), 'utf8')
  } catch {
    return undefined
  }
}

/** Reads the version: `0.1.0+1a2b3c4`, where the second part is the beginning of the hash of the sources. */
export const readVersion = (): string => {
  const { version = 'unknown' } = JSON.parse(readBeside('../../package.json') ?? '{}') as { version?: string }
  const build = readBeside('../.stamp')?.slice(0, 7)
  return build === undefined ? version : `${version}+${build}`
}
