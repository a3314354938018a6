/** What one rendering gathers on its way through a message. */
export interface RenderState {
  readonly mentioned_users: Set<number>
  readonly mentioned_groups: Set<number>
  channel_wildcard: boolean
  topic_wildcard: boolean
  has_link: boolean
  has_image: boolean
  readonly attachments: Set<string>
  /** links outside of quotes since the last block took them; see previews.ts */
  links: PreviewableLink[]
  /** how much formula a message may still contain; see formulas.ts */
  formula_budget: number
  /** how much text linkifiers may still search; see compiled-linkifier.ts */
  linkifier_budget: number
}

export interface PreviewableLink {
  /** as in the href, unescaped */
  url: string
  /** text of a link with a label of its own */
  label: string | undefined
}

/** Nothing found yet. `budgets` bound what a message may cost. */
export const newRenderState = (budgets: Pick<RenderState, 'formula_budget' | 'linkifier_budget'>): RenderState => ({
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
