/** Who makes a call. */
import type { ApiKeyRow, UserRow } from '../../domain/log/rows.js'
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
  /** the key with a name; undefined: the caller authenticated with the first key of the account or in another way */
  readonly apiKey: ApiKeyRow | undefined
}

/** An account, and the key with a name that its request has. */
export interface KeyHolder {
  readonly user: UserRow
  /** undefined: the request has other credentials */
  readonly apiKey: ApiKeyRow | undefined
}

/** The session with which a caller authenticated. */
export interface CallerSession {
  readonly id: number
  readonly csrf_token: string
}
