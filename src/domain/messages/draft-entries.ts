/**
 * Entries about a user's drafts and saved snippets, for this user's queues only.
 *
 * Source: protocol/events.md 3.4.
 */
import { z } from 'zod'
import { onlyUsers } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import { type Draft, draftObject } from './drafts.js'

const drafts = { type: z.literal('drafts') }

export const draftsAdded = entry<{ user_id: number; drafts: readonly Draft[] }>({
  kind: 'drafts/add',
  type: 'drafts',
  description: 'The user saved drafts, on this or another device.',
  content: true,
  event: z.object({ ...drafts, op: z.literal('add'), drafts: z.array(draftObject) }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ drafts }) => ({ type: 'drafts', op: 'add', drafts }),
})

export const draftUpdated = entry<{ user_id: number; draft: Draft }>({
  kind: 'drafts/update',
  type: 'drafts',
  description: 'A draft of the user changed.',
  content: true,
  event: z.object({ ...drafts, op: z.literal('update'), draft: draftObject }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ draft }) => ({ type: 'drafts', op: 'update', draft }),
})

export const draftRemoved = entry<{ user_id: number; draft_id: number }>({
  kind: 'drafts/remove',
  type: 'drafts',
  description: 'A draft of the user was deleted.',
  content: true,
  event: z.object({ ...drafts, op: z.literal('remove'), draft_id: z.int() }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ draft_id }) => ({ type: 'drafts', op: 'remove', draft_id }),
})

export const snippetObject = z.object({ id: z.int(), title: z.string(), content: z.string(), date_created: z.int() })

export type Snippet = z.infer<typeof snippetObject>

const snippets = { type: z.literal('saved_snippets') }

export const snippetPut = entry<{ user_id: number; op: 'add' | 'update'; saved_snippet: Snippet }>({
  kind: 'saved_snippets/put',
  type: 'saved_snippets',
  description: 'A saved snippet of the user was created or changed: `op` says which.',
  content: true,
  event: z.object({ ...snippets, op: z.enum(['add', 'update']), saved_snippet: snippetObject }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ op, saved_snippet }) => ({ type: 'saved_snippets', op, saved_snippet }),
})

export const snippetRemoved = entry<{ user_id: number; saved_snippet_id: number }>({
  kind: 'saved_snippets/remove',
  type: 'saved_snippets',
  description: 'A saved snippet of the user was deleted.',
  content: true,
  event: z.object({ ...snippets, op: z.literal('remove'), saved_snippet_id: z.int() }),
  audience: ({ user_id }) => onlyUsers(user_id),
  project: ({ saved_snippet_id }) => ({ type: 'saved_snippets', op: 'remove', saved_snippet_id }),
})
