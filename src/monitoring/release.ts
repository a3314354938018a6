/** The release that this process runs: the version of the package, and which build of it. */
import { readFileSync } from 'node:fs'

const readBeside = (path: string): string | undefined => {
  try {
    return readFileSync(new URL(path, import.meta.url), 'utf8')
  } catch {
    return undefined
  }
}

/** What runs. */
export interface Release {
  /** of package.json */
  version: string
  /** the beginning of the hash of the sources; undefined: the program was not made by the build */
  build?: string | undefined
  /** the commit, with `-dirty` if files were changed; undefined: it was built outside of a clone */
  commit?: string | undefined
}

/** Reads the release from the files beside the program. */
export const readRelease = (): Release => {
  const { version = 'unknown' } = JSON.parse(readBeside('../../package.json') ?? '{}') as { version?: string }
  return { version, build: readBeside('../.stamp')?.slice(0, 7), commit: readBeside('../.commit')?.trim() }
}

/** Reads the version, such as `0.1.0+1a2b3c4`. Its second part is the beginning of the hash of the sources. */
export const readVersion = (): string => {
  const { version, build } = readRelease()
  return build === undefined ? version : `${version}+${build}`
}
