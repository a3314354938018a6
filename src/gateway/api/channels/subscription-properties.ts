/**
 * Sets personal settings of the caller's own subscriptions.
 *
 * A request succeeds or fails as a whole. Source: the API document, endpoint 3; protocol/endpoints.md 1.3 and 3.5.
 */
import { z } from 'zod'
import { colorRule, isHexColor } from '../../../domain/channels/channels.js'
import { type RequestedSetting, setSubscriptionSettings } from '../../../domain/channels/subscription-settings.js'
import { commitEntries } from '../../../store/log/change.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { either, idInPath, json, type Params, str } from '../../call/params.js'

const requestedSetting = z
  .object({ stream_id: z.int(), property: z.string(), value: z.union([z.boolean(), z.string()]) })
  .refine(({ property, value }) => property !== 'color' || isHexColor(String(value)), colorRule)

export const updateSubscriptionProperties = endpoint({
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  summary: 'Sets personal settings of the caller for channels that the caller is subscribed to.',
  callers: 'account',
  keyScope: 'write',
  params: { subscription_data: json(z.array(requestedSetting)) },
  example: { subscription_data: [{ stream_id: '{stream_id}', property: 'pin_to_top', value: true }] },
  response: z.object({}),
  changesStructure: true,
  handle: (call) => setSettings(call, call.params.subscription_data),
})

export const updateSubscriptionProperty = endpoint({
  method: 'PATCH',
  path: '/users/me/subscriptions/{stream_id}',
  summary: 'Sets one personal setting of the caller for a channel that the caller is subscribed to.',
  callers: 'account',
  keyScope: 'write',
  params: {
    stream_id: idInPath(),
    property: str(),
    value: either(z.union([z.boolean(), z.string()])).describe('a boolean; for `color` text'),
  },
  example: { property: 'color', value: '#aa00ff' },
  response: z.object({}),
  changesStructure: true,
  handle(call) {
    const { stream_id, property, value } = call.params
    return setSettings(call, [{ stream_id, property, value: parseSettingValue(value) }])
  },
})

/** The parameter accepts any text, so a boolean can arrive as text, and a text can arrive in quotes. */
const parseSettingValue = (value: boolean | string): boolean | string => {
  if (value === 'true' || value === 'false') return value === 'true'
  return typeof value === 'string' ? value.replace(/^"(.*)"$/, '$1') : value
}

const setSettings = async <P extends Params>(call: Call<P>, requested: readonly RequestedSetting[]) => {
  const entries = setSubscriptionSettings(call.state, call.caller.user, requested)
  if (entries.length > 0) await commitEntries(call.write, entries)
  return {}
}
