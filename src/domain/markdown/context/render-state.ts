import type { SafeUrl } from '../../html/html.js'

/** The state of rendering one message: what the message contains so far, and what is left of its budgets. */
export interface RenderState {
  readonly mentioned_users: Set<number>
  readonly mentioned_groups: Set<number>
  channel_wildcard: boolean
  topic_wildcard: boolean
  has_link: boolean
  has_image: boolean
  readonly attachments: Set<string>
  /** links outside of quotes, since the writer last took them to preview them; see previews.ts */
  links: PreviewableLink[]
  /** what is left of FORMULA_BUDGET; see formulas.ts */
  formula_budget: number
  /** what is left of LINKIFIER_BUDGET, in characters; see compiled-linkifier.ts */
  linkifier_budget: number
}

export interface PreviewableLink {
  url: SafeUrl
  /** the text of the link, as typed; undefined: the link shows its address */
  label: string | undefined
}

/** Returns the state at the start of a message. `budgets` bound the processor time of one message. */
export const createRenderState = (budgets: Pick<RenderState, 'formula_budget' | 'linkifier_budget'>): RenderState => ({
  mentioned_users: new Set(),
  mentioned_groups: new Set(),
  channel_wildcard: false,
  topic_wildcard: false,
  has_link: false,
  has_image: false,
  attachments: new Set(),
  links: [],
  ...budgets,
})
