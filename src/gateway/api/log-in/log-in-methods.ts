/**
 * The providers of an organization. Owners set them up; those of the operator are shown with them.
 *
 * A provider is asked to describe itself before it is stored, so a wrong address is refused at once. Its secret is
 * never shown again.
 */
import { z } from 'zod'
import { realmUrl } from '../../../config/hosts.js'
import { openWays } from '../../../config/log-in-ways.js'
import type { LogInMethodRow } from '../../../domain/log/rows.js'
import type { RealmState } from '../../../domain/log/state.js'
import {
  addMethod,
  changeMethod,
  type GivenMethod,
  removeMethod,
  requireMethodRow,
} from '../../../domain/log-in/method-changes.js'
import { logInKindNames, logInPath } from '../../../domain/log-in/methods.js'
import { ProviderOptions, providerDialects, providerPresets } from '../../../domain/log-in/provider-options.js'
import { SamlOptions } from '../../../domain/log-in/saml-options.js'
import { errors } from '../../../domain/protocol/errors.js'
import { commitSteps } from '../../../store/log/change.js'
import { endpoint } from '../../call/endpoint.js'
import { bool, idInPath, json, oneOf, str } from '../../call/params.js'
import type { App } from '../../contract/app.js'
import { composeServiceUrls } from '../../log-in/saml-messages.js'
import { callbackUrl } from './external-log-in.js'

/** A provider, as owners see it. */
export const logInMethodObject = z.object({
  id: z.int(),
  kind: z.string(),
  name: z.string(),
  is_enabled: z.boolean(),
  has_secret: z.boolean(),
  options: z.record(z.string(), z.unknown()).describe('as they were set'),
  callback_url: z.string().describe('where the provider sends the browser back'),
  backchannel_logout_url: z.string().describe('where the provider itself ends sessions'),
  frontchannel_logout_url: z.string().describe('what the provider opens in the browser to end a session'),
  metadata_url: z.string().describe("what describes this server to a SAML provider; '' for others"),
})

const composeMethodObject = (row: LogInMethodRow, realm_url: string): z.infer<typeof logInMethodObject> => {
  const { id, kind, name, is_enabled, options, sealed_secret } = row
  const method = { id, kind, name, is_enabled, has_secret: sealed_secret !== '', options: { ...options } }
  return { ...method, ...composeAddresses(kind, realm_url, String(id)) }
}

/** What the owner enters at the provider. */
const composeAddresses = (kind: string, realm_url: string, key: string) => {
  if (kind === 'saml') {
    const {
      metadata: metadata_url,
      acs: callback_url,
      slo: frontchannel_logout_url,
    } = composeServiceUrls(realm_url, key)
    return { callback_url, backchannel_logout_url: '', frontchannel_logout_url, metadata_url }
  }
  const below = `${realm_url}${logInPath(key)}`
  return {
    callback_url: callbackUrl(realm_url, key),
    backchannel_logout_url: `${below}/backchannel_logout`,
    frontchannel_logout_url: `${below}/frontchannel_logout`,
    metadata_url: '',
  }
}

export const getLogInMethods = endpoint({
  method: 'GET',
  path: '/realm/log_in_methods',
  summary: 'Lists the providers with whose accounts users log in.',
  callers: 'owner',
  keyScope: 'none',
  params: {},
  response: z.object({
    log_in_methods: z.array(logInMethodObject),
    presets: z
      .array(
        z.object({
          name: z.string(),
          issuer: z.string(),
          verified_claim: z.string(),
          dialect: z.enum(providerDialects),
        }),
      )
      .describe('what a form starts with for a well-known provider; parts of the issuer in braces are to be replaced'),
    methods_of_operator: z.array(z.object({ key: z.string(), name: z.string(), callback_url: z.string() })),
  }),
  errors: [errors.notOwner],
  handle({ app: { config }, state }) {
    const { string_id } = state.realm
    const realm_url = realmUrl(string_id, config)
    const offered = config.LOG_IN_METHODS.filter(({ organizations }) => organizations?.includes(string_id) ?? true)
    return {
      log_in_methods: [...state.logInMethods.values()].map((row) => composeMethodObject(row, realm_url)),
      presets: Object.values(providerPresets).map((preset) => ({
        verified_claim: 'email_verified',
        dialect: 'openid' as const,
        ...preset,
      })),
      methods_of_operator: offered.map(({ key, kind, name }) => {
        const { callback_url } = composeAddresses(kind, realm_url, key)
        return { key, name, callback_url }
      }),
    }
  },
})

const listNames = (shape: object, ...besides: string[]): string =>
  Object.keys(shape)
    .filter((name) => !besides.includes(name))
    .map((name) => `\`${name}\``)
    .join(', ')

const options = json(z.record(z.string(), z.unknown())).describe(
  `\`issuer\` and \`client_id\`, and what of these differs from the defaults: ${listNames(ProviderOptions.shape, 'issuer', 'client_id')}. ` +
    `With SAML \`metadata_url\`, or \`metadata\` with the XML, and of these: ${listNames(SamlOptions.shape, 'metadata_url')}`,
)
const client_secret = str({ max: 12_000 }).describe(
  'the secret that the provider gave, with SAML the private key of this server and its certificate in PEM; it is never shown again',
)

const needsProvider = 'It needs a provider that answers.'

export const createLogInMethod = endpoint({
  method: 'POST',
  path: '/realm/log_in_methods',
  summary: 'Adds a provider with whose accounts users log in.',
  callers: 'owner',
  keyScope: 'none',
  params: {
    kind: oneOf(...logInKindNames).default('oidc'),
    name: str().describe('what users read on the button'),
    is_enabled: bool().default(true),
    client_secret: client_secret.default(''),
    options,
  },
  noExample: needsProvider,
  response: z.object({ id: z.int() }),
  errors: [errors.notOwner],
  changesStructure: true,
  prepare: ({ app, params: { kind, options, client_secret } }) => checkProvider(app, kind, options, client_secret),
  async handle({ app, state, write, prepared: options, params: { client_secret: secret, ...params } }) {
    const given = { ...params, options }
    const id = state.nextId('log_in_methods')
    return write.answering(
      () => ({ id }),
      (keyed) => commitSteps(keyed, [addMethod({ ...given, secret }, findWaysOf(app))]),
    )
  },
})

export const updateLogInMethod = endpoint({
  method: 'PATCH',
  path: '/realm/log_in_methods/{method_id}',
  summary: 'Changes a provider. Options that are given replace all options that were set.',
  callers: 'owner',
  keyScope: 'none',
  params: {
    method_id: idInPath(),
    name: str().optional(),
    is_enabled: bool().optional(),
    client_secret: client_secret.optional(),
    options: options.optional(),
  },
  noExample: needsProvider,
  response: z.object({}),
  errors: [errors.notOwner],
  changesStructure: true,
  prepare({ app, state, params: { method_id, options, client_secret } }) {
    const row = requireMethodRow(state, method_id)
    if (options === undefined && (client_secret === undefined || row.kind !== 'saml')) return undefined
    return checkProvider(app, row.kind, options ?? row.options, client_secret)
  },
  async handle({ app, state, write, prepared, params: { method_id, client_secret: secret, ...given } }) {
    const row = requireMethodRow(state, method_id)
    const { name = row.name, is_enabled = row.is_enabled } = given
    const options = prepared ?? row.options
    const method: Omit<GivenMethod, 'kind'> = { name, is_enabled, options, secret }
    await commitSteps(write, [changeMethod(method_id, method, findWaysOf(app))])
    return {}
  },
})

export const deleteLogInMethod = endpoint({
  method: 'DELETE',
  path: '/realm/log_in_methods/{method_id}',
  summary: 'Removes a provider. Accounts that have no other way in need a new password.',
  callers: 'owner',
  keyScope: 'none',
  params: { method_id: idInPath() },
  noExample: needsProvider,
  response: z.object({}),
  errors: [errors.notOwner],
  changesStructure: true,
  async handle({ app, write, params: { method_id } }) {
    await commitSteps(write, [removeMethod(method_id, findWaysOf(app))])
    return {}
  },
})

const findWaysOf =
  ({ config }: App) =>
  (state: RealmState) =>
    openWays(config, state)

/**
 * Asks the provider to describe itself; GitHub cannot. Options that are not valid are refused later, with their names.
 * @returns the options, completed with what the provider says
 */
const checkProvider = async (
  { providers, samlProviders }: App,
  kind: string,
  input: Readonly<Record<string, unknown>>,
  secret: string | undefined,
): Promise<Readonly<Record<string, unknown>>> => {
  if (kind === 'saml') return samlProviders.complete(input, secret)
  const issuer = ProviderOptions.shape.issuer.safeParse(input.issuer)
  if (issuer.success && input.dialect !== 'github') await providers.check(issuer.data)
  return input
}
