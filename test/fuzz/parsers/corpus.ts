/** The inputs that the fuzzer found: each line of a file is one of them, in base64. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('corpus/', import.meta.url))

/** Reads the inputs of a parser. */
export const readCorpus = (parser: string): Buffer[] => {
  const file = join(folder, `${parser}.txt`)
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line, 'base64'))
}

/** The parsers that have inputs. */
export const corpora = (): string[] => readdirSync(folder).map((name) => name.replace(/\.txt$/, ''))
