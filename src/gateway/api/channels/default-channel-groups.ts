/** Groups of default channels, which a new user may choose. Source: protocol/endpoints.md 3.5. */
import { z } from 'zod'
import {
  addToGroup,
  createGroup,
  removeFromGroup,
  removeGroup,
  renameGroup,
  requireChannelsByName,
  requireDefaultChannelGroup,
} from '../../../domain/channels/default-channel-groups.js'
import type { Step } from '../../../domain/log/steps.js'
import { errors } from '../../../domain/protocol/errors.js'
import { commitSteps } from '../../../store/log/change.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { idInPath, json, str } from '../../call/params.js'

const callers = 'defaultChannelEditor'
const names = json(z.array(z.string()))

export const createDefaultStreamGroup = endpoint({
  method: 'POST',
  path: '/default_stream_groups/create',
  summary: 'Creates a group of default channels.',
  callers,
  params: { group_name: str(), description: str(), stream_names: names },
  example: { group_name: 'Makers', description: 'For builders', stream_names: ['{stream}'] },
  response: z.object({}),
  changesStructure: true,
  handle(call) {
    const { group_name, description, stream_names } = call.params
    const channels = requireChannelsByName(call.state, call.caller.user, stream_names)
    return commitStep(call, createGroup(group_name, description, channels))
  },
})

export const updateDefaultStreamGroup = endpoint({
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}',
  summary: 'Changes the name or the description of a group of default channels.',
  callers,
  params: { group_id: idInPath(), new_group_name: str().optional(), new_description: str().optional() },
  example: { new_group_name: 'Builders' },
  response: z.object({}),
  changesStructure: true,
  handle(call) {
    const { group_id, new_group_name, new_description } = call.params
    if (new_group_name === undefined && new_description === undefined) {
      throw errors.badRequest('Nothing to change: send new_description or new_group_name.')
    }
    return commitStep(
      call,
      renameGroup(requireDefaultChannelGroup(call.state, group_id), new_group_name, new_description),
    )
  },
})

export const updateDefaultStreamGroupStreams = endpoint({
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}/streams',
  summary: 'Adds channels to a group of default channels, or removes them from it.',
  callers,
  params: { group_id: idInPath(), op: str().describe('`add` or `remove`'), stream_names: names },
  example: { op: 'add', stream_names: ['{other_stream}'] },
  response: z.object({}),
  changesStructure: true,
  handle(call) {
    const { group_id, op, stream_names } = call.params
    if (op !== 'add' && op !== 'remove') {
      throw errors.badRequest('op must be add or remove.')
    }
    const group = requireDefaultChannelGroup(call.state, group_id)
    const channels = requireChannelsByName(call.state, call.caller.user, stream_names)
    return commitStep(call, op === 'add' ? addToGroup(group, channels) : removeFromGroup(group, channels))
  },
})

export const removeDefaultStreamGroup = endpoint({
  method: 'DELETE',
  path: '/default_stream_groups/{group_id}',
  summary: 'Removes a group of default channels. The channels themselves do not change.',
  callers,
  params: { group_id: idInPath() },
  response: z.object({}),
  changesStructure: true,
  handle: (call) => commitStep(call, removeGroup(requireDefaultChannelGroup(call.state, call.params.group_id))),
})

const commitStep = async ({ write }: Pick<Call, 'write'>, step: Step) => {
  await commitSteps(write, [step])
  return {}
}
