/** The information about a server that a client gets without credentials. Source: protocol/register.md 7. */

import { z } from 'zod'
import { realmNameFromHost, realmUrl } from '../../../config/hosts.js'
import { openWays } from '../../../config/log-in-ways.js'
import { apiFeatureLevel, shownVersion } from '../../../domain/limits/limits.js'
import { type LogInMethod, logInPath } from '../../../domain/log-in/methods.js'
import { realmUrlFields, versionFields } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { isOpenWay } from '../../../domain/realm/authentication.js'
import { notificationBot } from '../../../domain/realm/notification-bot.js'
import { realmPictureUrl } from '../../../domain/realm/realm-pictures.js'
import { hasWebAccess } from '../../../domain/realm/web-access.js'
import { renderDescription } from '../../../domain/rendering/names-and-descriptions.js'
import { endpoint } from '../../call/endpoint.js'
import { parseClientName } from '../../call/user-agent.js'
import { openDirectories, openMethods } from '../../log-in/open-methods.js'
import { isSignUpOpen } from '../accounts/sign-up.js'
import { APP_LOG_IN_PATH } from '../log-in/app-log-in.js'

/** The login methods of the protocol: whether each is enabled. */
const authenticationMethods = z.object({
  password: z.boolean(),
  dev: z.boolean(),
  email: z.boolean(),
  ldap: z.boolean(),
  remoteuser: z.boolean(),
  github: z.boolean(),
  azuread: z.boolean(),
  gitlab: z.boolean(),
  google: z.boolean(),
  apple: z.boolean(),
  saml: z.boolean(),
  'openid connect': z.boolean(),
})

const externalMethod = z.object({
  name: z.string(),
  display_name: z.string(),
  display_icon: z.string().nullable(),
  login_url: z.string(),
  signup_url: z.string(),
})

const composeExternalMethod = ({ key, kind, name }: LogInMethod): z.infer<typeof externalMethod> => {
  const login_url = logInPath(key)
  return { name: `${kind}:${key}`, display_name: name, display_icon: null, login_url, signup_url: login_url }
}

/** The log-in of this server itself, for mobile apps whose user has a second factor (api/log-in/app-log-in.ts). */
const inBrowser: z.infer<typeof externalMethod> = {
  name: 'browser',
  display_name: 'Browser',
  display_icon: null,
  login_url: APP_LOG_IN_PATH,
  signup_url: APP_LOG_IN_PATH,
}

/** Clients that this server no longer supports send this name. */
const isTooOld = (userAgent: string): boolean => parseClientName(undefined, userAgent) === 'ZulipInvalid'

export const getCompatibility = endpoint({
  method: 'GET',
  path: '/compatibility',
  site: true,
  summary: 'Checks whether this server supports the version of the client.',
  callers: 'anyone',
  params: {},
  response: z.object({}),
  handle({ request }) {
    if (request.userAgent === '') throw errors.badRequest('Send a User-Agent header that names the app.')
    if (isTooOld(request.userAgent)) throw errors.badRequest('This app is too old for the server: update it.')
    return {}
  },
})

export const getServerSettings = endpoint({
  method: 'GET',
  path: '/server_settings',
  summary: 'Gets the version of the server, the organization at this address, and its login methods.',
  callers: 'anyone',
  params: {},
  response: z.object({
    api_feature_level: z.int(),
    zulip_feature_level: z.int(),
    zulip_version: z.string(),
    zulip_merge_base: z.string(),
    push_notifications_enabled: z.boolean(),
    is_incompatible: z.boolean(),
    email_auth_enabled: z.boolean(),
    require_email_format_usernames: z.boolean(),
    authentication_methods: authenticationMethods,
    // Absent if the address selects no organization.
    realm_url: z.string().optional(),
    realm_uri: z.string().optional(),
    realm_name: z.string().optional(),
    realm_icon: z.string().optional(),
    realm_description: z.string().optional().describe('HTML'),
    realm_web_public_access_enabled: z.boolean().optional(),
    realm_invite_required: z.boolean().optional().describe('false: users can sign up at `/accounts/sign_up`'),
    external_authentication_methods: z.array(externalMethod).optional(),
  }),
  errors: [errors.invalidSubdomain],
  handle({ app: { config }, state, request }) {
    if (state === undefined && realmNameFromHost(request.host, config) !== undefined) throw errors.invalidSubdomain()
    const allowsPasswords = state === undefined || isOpenWay('Email', state.settings, openWays(config, state))
    const hasDirectory = state !== undefined && openDirectories(config, state).length > 0
    const methods = state === undefined ? [] : openMethods(config, state)
    const server = {
      ...versionFields(apiFeatureLevel, shownVersion),
      push_notifications_enabled: false,
      is_incompatible: isTooOld(request.userAgent),
      email_auth_enabled: allowsPasswords,
      require_email_format_usernames: !hasDirectory,
      authentication_methods: {
        password: allowsPasswords || hasDirectory,
        dev: config.NODE_ENV === 'development',
        email: allowsPasswords,
        ldap: hasDirectory,
        remoteuser: false,
        github: methods.some(({ kind, options }) => kind === 'oidc' && options.dialect === 'github'),
        azuread: false,
        gitlab: false,
        google: false,
        apple: false,
        saml: methods.some(({ kind }) => kind === 'saml'),
        'openid connect': methods.some(({ kind }) => kind === 'oidc'),
      },
    }
    if (state === undefined) return server
    const { realm } = state
    // The description has no author, so it is rendered as a text of the notification bot.
    const bot = notificationBot(state)
    return {
      ...server,
      ...realmUrlFields(realmUrl(realm.string_id, config)),
      realm_name: realm.name,
      realm_icon: realmPictureUrl(realm, 'icon'),
      realm_description: bot === undefined ? '' : renderDescription(state, bot, realm.description),
      realm_web_public_access_enabled: hasWebAccess(state),
      realm_invite_required: !isSignUpOpen({ config }, state),
      external_authentication_methods: [
        ...methods.map(composeExternalMethod),
        ...(allowsPasswords || hasDirectory ? [inBrowser] : []),
      ],
    }
  },
})
