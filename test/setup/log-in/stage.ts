/** An organization with a provider, and what its owner sees of log-ins. */
import { portOf } from '../processes/gateway-of-one-test.js'
import { anyGateway, newRealm, ok, type Person, type TestRealm } from '../realm/realm.js'
import { sendRequest } from '../requests/raw-request.js'
import { beginLogIn, finishLogIn } from './provider-log-in.js'
import type { Script, ScriptedProvider } from './scripted-provider.js'

export interface Stage extends AsyncDisposable {
  realm: TestRealm
  owner: Person
  ada: Person
  method: number
  /** a whole log-in with these claims */
  enter(claims: object, script?: Script): ReturnType<typeof finishLogIn>
}

/** An organization with an owner and Ada, and a provider with these options. */
export const openStage = async (
  provider: ScriptedProvider,
  options: object | ((realm: { owner: Person; ada: Person }) => Promise<object>) = {},
): Promise<Stage> => {
  const realm = await newRealm()
  const [owner, ada] = (await realm.people({ full_name: 'Owner', role: 100 }, { full_name: 'Ada' })) as [Person, Person]
  const given = typeof options === 'function' ? await options({ owner, ada }) : options
  const { id } = await ok<{ id: number }>(owner, 'POST', '/realm/log_in_methods', {
    name: 'Company',
    client_secret: 'shared secret',
    options: { issuer: provider.issuer, client_id: 'parley', ...given },
  })
  await realm.realm.barrier()
  return {
    realm,
    owner,
    ada,
    method: id,
    async enter(claims, script = {}) {
      const begun = await beginLogIn(realm.host, id, provider)
      provider.script = { ...script, claims: { ...claims } }
      return finishLogIn(begun)
    },
    [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose](),
  }
}

/** Whose session an answer began. */
export const userOf = async ({ host }: TestRealm, cookie: string): Promise<unknown> => {
  const { status, json } = await sendRequest(portOf(anyGateway()), {
    path: '/api/v1/users/me',
    host,
    headers: { Cookie: cookie },
  })
  return status === 200 ? json.user_id : status
}

/** A change of the audit log. */
export interface RecordedChange {
  table: string
  key: Record<string, unknown>
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** An act of the audit log. */
export interface RecordedAct {
  user_id: number | null
  action: string
  changes: RecordedChange[]
}

/** The audit log of the organization, the newest act first. */
export const auditLog = async ({ owner }: Stage, query: object = {}): Promise<RecordedAct[]> =>
  (await ok<{ acts: RecordedAct[] }>(owner, 'GET', '/realm/audit_log', { ...query })).acts

/** The log-ins of the audit log, the newest first. */
export const acts = async (stage: Stage) =>
  (await auditLog(stage, { subject: 'log_ins' })).flatMap(({ changes }) =>
    changes.filter(({ table }) => table === 'log_ins').map(({ after }) => after ?? {}),
  )
