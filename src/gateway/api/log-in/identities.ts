/** The identities of an account: the accounts of providers with which its user logs in. */
import { z } from 'zod'
import { listDirectories } from '../../../domain/log-in/directories.js'
import { checkUnlink } from '../../../domain/log-in/external-log-in.js'
import { errors } from '../../../domain/protocol/errors.js'
import { deleteIdentity, loadIdentities } from '../../../store/log-in/identities.js'
import { recordLogInAct } from '../../../store/log-in/log-in-acts.js'
import { endpoint, streamed } from '../../call/endpoint.js'
import { str, textInPath } from '../../call/params.js'
import { openDirectories, openMethods } from '../../log-in/open-methods.js'
import { hasPassword } from '../../second-factor/second-factor.js'
import { beginFlow } from './external-log-in.js'

/** An identity, as its user sees it. */
export const identityObject = z.object({
  method: z.string().describe('the key of the method'),
  name: z.string().describe('what users read; the issuer, if the organization has the method no more'),
  issuer: z.string(),
  email: z.string().describe('the address at the provider at the last log-in'),
  linked_at: z.int().describe('UNIX seconds'),
  last_used_at: z.int().describe('UNIX seconds'),
})

export const getIdentities = endpoint({
  method: 'GET',
  path: '/users/me/identities',
  summary: 'Lists the accounts of providers with which the user logs in, and the providers that can be linked.',
  callers: 'human',
  params: {},
  response: z.object({
    identities: z.array(identityObject),
    methods: z.array(z.object({ key: z.string(), name: z.string() })),
    has_password: z.boolean().describe('whether the user can log in with a password'),
  }),
  async handle({ app, caller, realm, state }) {
    const methods = openMethods(app.config, state)
    const directories = openDirectories(app.config, state)
    const identities = await loadIdentities(app.store.sql, realm.id, caller.id)
    return {
      identities: identities.map((identity) => ({
        ...identity,
        name: [...methods, ...directories].find(({ key }) => key === identity.method)?.name ?? identity.issuer,
      })),
      methods: methods.map(({ key, name }) => ({ key, name })),
      has_password: await hasPassword(app, caller.id, realm),
    }
  },
})

export const linkIdentity = streamed({
  method: 'POST',
  path: '/users/me/identities',
  summary: 'Begins to link an account of a provider: the browser opens the address of the answer.',
  callers: 'human',
  keyScope: 'none',
  params: { provider: str().describe('the key of the method') },
  noExample: 'It needs the cookie of a browser.',
  response: z.object({ url: z.string() }),
  errors: [errors.noSession],
  headers: ['accept'],
  async handle({ app, caller, write, params }, exchange) {
    if (caller.session === undefined) throw errors.noSession()
    const purpose = { kind: 'link', user_id: caller.id, session_id: caller.session.id } as const
    return { url: await beginFlow(app, write, params.provider, purpose, exchange) }
  },
})

export const unlinkIdentity = endpoint({
  method: 'DELETE',
  path: '/users/me/identities/{method}',
  summary: 'Unlinks an account of a provider, unless it is the only way in.',
  callers: 'human',
  keyScope: 'none',
  params: { method: textInPath().describe('the key of the method') },
  noExample: 'It needs a log-in with a provider.',
  response: z.object({}),
  changesStructure: true,
  async handle({ app, caller, realm, state, write, params: { method } }) {
    const open = openMethods(app.config, state)
    const identities = await loadIdentities(app.store.sql, realm.id, caller.id)
    if (!identities.some((identity) => identity.method === method)) {
      throw errors.badRequest('Your account is not linked to this provider.')
    }
    const directory = listDirectories(state, app.config.LDAP_DIRECTORIES).find(({ key }) => key === method)
    if (directory !== undefined) {
      throw errors.badRequest('{provider} manages your account: it cannot be unlinked.', { provider: directory.name })
    }
    const others = identities.filter((one) => one.method !== method && open.some(({ key }) => key === one.method))
    checkUnlink({ identities: others.length, hasPassword: await hasPassword(app, caller.id, realm) })
    const name = open.find(({ key }) => key === method)?.name ?? method
    const { address = '', action = '' } = write.actor ?? {}
    await app.store.sql.begin(async (tx) => {
      await deleteIdentity(tx, realm.id, caller.id, method)
      const act = { user_id: caller.id, result: 'unlinked' } as const
      await recordLogInAct(tx, realm.id, { address, action }, { key: method, name }, act)
    })
    return {}
  },
})
