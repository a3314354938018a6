/**
 * The `realm_bot` events: a bot is created, changed, or gets another owner. Only users who administer the bot receive
 * them; every other user learns of the bot's account by `realm_user` events. Source: protocol/events.md 3.3,
 * `realm_bot`.
 */
import { z } from 'zod'
import type { Audience } from '../../log/entry.js'
import { entry } from '../../log/entry-kind.js'
import { addToken, type BotObject, botObject, type SealedBot, type SealedService, unsealBot } from './bots.js'

interface ToAdministrators {
  viewers: Audience
}

const viewers = ({ viewers }: ToAdministrators): Audience => viewers

/** A bot was created, or the recipient administers it from now on. */
export const realmBotAdded = entry<ToAdministrators & { bot: SealedBot }>({
  kind: 'realm_bot/add',
  type: 'realm_bot',
  description: 'A bot was created that the user may administer.',
  event: z.object({ type: z.literal('realm_bot'), op: z.literal('add'), bot: botObject }),
  audience: viewers,
  project: ({ bot }, _profile, { deployment }) => ({
    type: 'realm_bot',
    op: 'add',
    bot: unsealBot(deployment.keys, bot),
  }),
})

type Values = Partial<Omit<BotObject, 'user_id' | 'api_key' | 'services'>>

/**
 * Values of a bot changed. The entry stores `key_version`, not the key: keys and tokens are derived when it is sent.
 */
export const realmBotUpdated = entry<
  ToAdministrators & {
    realm_id: number
    user_id: number
    values?: Values
    key_version?: number
    services?: SealedService[]
  }
>({
  kind: 'realm_bot/update',
  type: 'realm_bot',
  description: 'A bot that the user may administer changed; `bot` has the properties that did.',
  event: z.object({
    type: z.literal('realm_bot'),
    op: z.literal('update'),
    bot: botObject.partial().required({ user_id: true }),
  }),
  audience: viewers,
  project: ({ realm_id, user_id, values, key_version, services }, _profile, { deployment: { keys } }) => ({
    type: 'realm_bot',
    op: 'update',
    bot: {
      user_id,
      ...values,
      ...(key_version === undefined ? {} : { api_key: keys.apiKey(realm_id, user_id, key_version) }),
      ...(services === undefined
        ? {}
        : { services: services.map((service) => addToken(keys, realm_id, user_id, service)) }),
    },
  }),
})

/** The recipient no longer administers the bot. */
export const realmBotDeleted = entry<ToAdministrators & { user_id: number }>({
  kind: 'realm_bot/delete',
  type: 'realm_bot',
  description: 'The user may not administer a bot any more.',
  event: z.object({
    type: z.literal('realm_bot'),
    op: z.literal('delete'),
    bot: z.object({ user_id: z.int() }),
  }),
  audience: viewers,
  project: ({ user_id }) => ({ type: 'realm_bot', op: 'delete', bot: { user_id } }),
})
