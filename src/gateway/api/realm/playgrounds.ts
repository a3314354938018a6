/**
 * Code playgrounds: adding and removing them. Source: the API document, endpoint 19; protocol/endpoints.md 1.19 and
 * 3.11.
 */
import { z } from 'zod'
import { limits } from '../../../domain/limits/limits.js'
import { errors } from '../../../domain/protocol/errors.js'
import { addPlayground, removePlayground } from '../../../domain/realm/playgrounds.js'
import { commitSteps } from '../../../store/log/change.js'
import { endpoint } from '../../call/endpoint.js'
import { idInPath, str } from '../../call/params.js'

export const createPlayground = endpoint({
  method: 'POST',
  path: '/realm/playgrounds',
  summary: 'Adds a code playground.',
  callers: 'administrator',
  params: {
    name: str().describe(`the name that clients show; at most ${limits.max_playground_name_length} characters`),
    pygments_language: str().describe(
      `the language of the code blocks; at most ${limits.max_playground_language_length} characters`,
    ),
    url_template: str().describe('RFC 6570, with `code` as the only variable'),
  },
  example: {
    name: 'Python playground',
    pygments_language: 'Python',
    url_template: 'https://python.example/?code={code}',
  },
  response: z.object({ id: z.int() }),
  errors: [errors.notAdministrator, errors.invalidField],
  changesStructure: true,
  async handle(call) {
    const id = call.state.nextId('playgrounds')
    return call.write.answering(
      () => ({ id }),
      (keyed) => commitSteps(keyed, [addPlayground(call.params)]),
    )
  },
})

export const deletePlayground = endpoint({
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id}',
  summary: 'Removes a code playground.',
  callers: 'administrator',
  params: { playground_id: idInPath() },
  response: z.object({}),
  errors: [errors.notAdministrator],
  changesStructure: true,
  async handle(call) {
    await commitSteps(call.write, [removePlayground(call.params.playground_id)])
    return {}
  },
})
