/** Code in many languages, written for the tests of the highlighter. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The samples: an alias of the language, and code. */
export const codeSamples: readonly { alias: string; code: string }[] = readFileSync(
  join(import.meta.dirname, 'code-samples.txt'),
  'utf8',
)
  .split(/^=== /m)
  .slice(1)
  .map((sample) => {
    const lineEnd = sample.indexOf('\n')
    return { alias: sample.slice(0, lineEnd), code: sample.slice(lineEnd + 1).trimEnd() }
  })
