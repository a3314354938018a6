/** What one rendering gathers on its way through a message. */
export interface Findings {
  readonly mentioned_users: Set<number>
  readonly mentioned_groups: Set<number>
  channel_wildcard: boolean
  topic_wildcard: boolean
  has_link: boolean
  has_image: boolean
  readonly attachments: Set<string>
  /** links outside of quotes since the last block took them; see previews.ts */
  links: Link[]
  /** how much formula a message may still contain; see formulas.ts */
  formula_budget: number
  /** how much text linkifiers may still search; see compiled-linkifier.ts */
  linkifier_budget: number
}

export interface Link {
  /** as in the href, unescaped */
  url: string
  /** text of a link with a label of its own */
  label: string | undefined
}

/** Nothing found yet. `budgets` bound what a message may cost. */
export const newFindings = (budgets: Pick<Findings, 'formula_budget' | 'linkifier_budget'>): Findings => ({
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
