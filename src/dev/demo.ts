/** SEAM: the demo organization; finished when src/store has realms and users and the gateway serves the API. */
import type { Sql } from '../store/sql.js'
import type { DemoUser } from './welcome.js'

export async function demoOrganization(_: {
  sql: Sql
  url: string
  secretKey: string
  folder: string
  tell(line: string): void
}): Promise<DemoUser[]> {
  return []
}
