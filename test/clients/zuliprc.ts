/** zuliprc files, which configure the clients of these tests. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Account } from '../setup/realm/event-reader.js'

/** Creates a folder for one test, which is removed at the end of the run. */
export const newFolder = (): string => mkdtempSync(join(inject('log_folder'), 'client-'))

/** Writes the file that users download from their settings. @returns its path */
export const writeZuliprc = ({ email, api_key }: Pick<Account, 'email' | 'api_key'>, site: string): string => {
  const path = join(newFolder(), 'zuliprc')
  writeFileSync(path, `[api]\nemail=${email}\nkey=${api_key}\nsite=${site}\n`, { mode: 0o600 })
  return path
}
