/**
 * The channels to which new accounts are subscribed.
 *
 * Source: protocol/endpoints.md 3.5.
 */
import { z } from 'zod'
import { setDefaultChannel } from '../../../domain/channels/channel-changes.js'
import { requireDefaultable } from '../../../domain/channels/channel-update-checks.js'
import { commitEntries } from '../../../store/log/change.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { int } from '../../call/params.js'

const params = { stream_id: int() }

export const addDefaultStream = endpoint({
  method: 'POST',
  path: '/default_streams',
  summary: 'Makes a channel a default channel: new accounts are subscribed to it.',
  callers: 'defaultChannelEditor',
  params,
  example: { stream_id: '{new_stream_id}' },
  response: z.object({}),
  changesStructure: true,
  handle: (call) => setDefault(call, true),
})

export const removeDefaultStream = endpoint({
  method: 'DELETE',
  path: '/default_streams',
  summary: 'Makes a channel no default channel any more: new accounts are not subscribed to it.',
  callers: 'defaultChannelEditor',
  params,
  example: { stream_id: '{default_stream_id}' },
  response: z.object({}),
  changesStructure: true,
  handle: (call) => setDefault(call, false),
})

const setDefault = async (call: Call<typeof params, 'defaultChannelEditor'>, isDefault: boolean) => {
  const { state, caller, params, write } = call
  const channel = requireDefaultable(state, caller.user, params.stream_id, isDefault)
  const entries = setDefaultChannel(state, channel.id, isDefault)
  if (entries.length > 0) await commitEntries(write, entries)
  return {}
}
