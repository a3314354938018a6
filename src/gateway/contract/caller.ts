/** Who makes a call. */
import type { UserRow } from '../../domain/log/rows.js'
import type { Realm } from '../../store/log/realm.js'

/** The account that makes the call. `user` is its row at the time of authentication. */
export interface Caller {
  readonly id: number
  readonly user: UserRow
  readonly realm: Realm
  /** the program's name, from `client` or the User-Agent: `ZulipPython` of `ZulipPython/0.9 (...)` */
  readonly client: string
  /** the browser's session; undefined: the caller authenticated in another way */
  readonly session: CallerSession | undefined
}

/** The session with which a caller authenticated. */
export interface CallerSession {
  readonly id: number
  readonly csrf_token: string
}
