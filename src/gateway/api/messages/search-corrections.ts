/** Suggests searches that the user may have meant when a search finds little. It is not in the API document. */
import { z } from 'zod'
import { checkSpectatorNarrow } from '../../../domain/messages/narrow/narrow.js'
import { errors } from '../../../domain/protocol/errors.js'
import { findCorrections } from '../../../store/messages/fetching/find-corrections.js'
import { endpoint } from '../../call/endpoint.js'
import { narrowParam } from './messages.js'

export const getSearchCorrections = endpoint({
  method: 'GET',
  path: '/messages/search_corrections',
  summary:
    'Suggests searches with similar words in the place of mistyped ones, for a search that finds no or few messages.',
  callers: 'spectator',
  params: { narrow: narrowParam() },
  noExample: 'Its answer depends on when a worker learns the words of a message.',
  response: z.object({
    corrections: z
      .array(
        z.object({
          words: z
            .array(z.object({ typed: z.string(), meant: z.string() }))
            .describe('the words that were replaced, in lower case'),
          narrow: z
            .array(z.object({ operator: z.string(), operand: z.unknown(), negated: z.boolean() }))
            .describe('the given terms with these words; the caller finds at least one message with them'),
        }),
      )
      .describe(
        'at most three, the most likely first; words of messages that the caller cannot read are not suggested',
      ),
  }),
  errors: [errors.badNarrow],
  isHeavy: () => true,
  handle({ app, caller, realm, state, params }) {
    const terms = caller === undefined ? checkSpectatorNarrow(params.narrow) : params.narrow
    if (terms === undefined) throw errors.notLoggedIn()
    return app.store.standbys.run(realm, async (sql) => ({
      corrections: await findCorrections({ sql, state, reader: caller?.user }, terms),
    }))
  },
})
