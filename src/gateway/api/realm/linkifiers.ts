/**
 * Linkifiers: patterns whose matches in messages become links.
 * Source: the API document, endpoint 20; protocol/endpoints.md 1.20 and 3.11.
 */
import { z } from 'zod'
import { limits } from '../../../domain/limits/limits.js'
import { legacyUrlFormat } from '../../../domain/protocol/aliases.js'
import { errors } from '../../../domain/protocol/errors.js'
import { linkifierObject } from '../../../domain/realm/linkifier-entries.js'
import {
  addLinkifier,
  changeLinkifier,
  linkifiersOnWire,
  orderLinkifiers,
  removeLinkifier,
} from '../../../domain/realm/linkifiers.js'
import { commitSteps } from '../../../store/log/change.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath, json, str } from '../../call/params.js'

const linkifierParams = {
  pattern: str().describe(`a regular expression of RE2, with named groups; at most ${limits.max_indexed_bytes} bytes`),
  url_template: str().describe('RFC 6570, with the named groups as variables'),
}

export const getLinkifiers = endpoint({
  method: 'GET',
  path: '/realm/linkifiers',
  summary: 'Lists the linkifiers in the order in which they are applied.',
  callers: 'account',
  params: {},
  response: z.object({ linkifiers: z.array(linkifierObject) }),
  handle: ({ state }) => ({ linkifiers: linkifiersOnWire(state) }),
})

export const getFilters = endpoint({
  method: 'GET',
  path: '/realm/filters',
  summary: 'Lists the linkifiers in the older format, without those that it cannot express.',
  callers: 'account',
  params: {},
  response: z.object({ filters: z.array(z.tuple([z.string(), z.string(), z.int()])) }),
  handle: ({ state }) => ({
    filters: linkifiersOnWire(state).flatMap(({ id, pattern, url_template }): [string, string, number][] => {
      const format = legacyUrlFormat(url_template)
      return format === undefined ? [] : [[pattern, format, id]]
    }),
  }),
})

export const createLinkifier = endpoint({
  method: 'POST',
  path: '/realm/filters',
  summary: 'Adds a linkifier.',
  callers: 'administrator',
  params: linkifierParams,
  example: { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/issues/{id}' },
  response: z.object({ id: z.int() }),
  errors: [errors.notAdministrator, errors.invalidField],
  changesStructure: true,
  async handle(call) {
    const id = call.state.nextId('linkifiers')
    return call.write.answering(
      () => ({ id }),
      (keyed) => commitSteps(keyed, [addLinkifier(call.params)]),
    )
  },
})

export const updateLinkifier = endpoint({
  method: 'PATCH',
  path: '/realm/filters/{filter_id}',
  summary: 'Changes a linkifier.',
  callers: 'administrator',
  params: { filter_id: idInPath(), ...linkifierParams },
  example: { pattern: 'TASK-(?P<id>[0-9]+)', url_template: 'https://example.com/tasks/{id}' },
  response: z.object({}),
  errors: [errors.notAdministrator, errors.invalidField],
  changesStructure: true,
  async handle(call) {
    await commitSteps(call.write, [changeLinkifier(call.params.filter_id, call.params)])
    return {}
  },
})

export const deleteLinkifier = endpoint({
  method: 'DELETE',
  path: '/realm/filters/{filter_id}',
  summary: 'Removes a linkifier.',
  callers: 'administrator',
  params: { filter_id: idInPath() },
  response: z.object({}),
  errors: [errors.notAdministrator],
  changesStructure: true,
  async handle(call) {
    await commitSteps(call.write, [removeLinkifier(call.params.filter_id)])
    return {}
  },
})

export const reorderLinkifiers = endpoint({
  method: 'PATCH',
  path: '/realm/linkifiers',
  summary: 'Changes the order of the linkifiers.',
  callers: 'administrator',
  params: { ordered_linkifier_ids: json(z.array(z.int())) },
  example: { ordered_linkifier_ids: '{linkifier_order}' },
  response: z.object({}),
  errors: [errors.notAdministrator],
  changesStructure: true,
  async handle(call) {
    await commitSteps(call.write, [orderLinkifiers(call.params.ordered_linkifier_ids)])
    return {}
  },
})
