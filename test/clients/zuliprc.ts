/** The one thing that these clients are configured with. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Account } from '../setup/event-reader.js'

/** A folder of the test's own, which goes with the run. */
export const newFolder = (): string => mkdtempSync(join(inject('log_folder'), 'client-'))

/** Writes the file that an account downloads from its settings. @returns its path */
export const writeZuliprc = ({ email, api_key }: Pick<Account, 'email' | 'api_key'>, site: string): string => {
  const path = join(newFolder(), 'zuliprc')
  writeFileSync(path, `[api]\nemail=${email}\nkey=${api_key}\nsite=${site}\n`, { mode: 0o600 })
  return path
}
