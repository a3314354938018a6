/** The operators of narrows. Source: protocol/messages.md 1.2. */

/** The canonical names of narrow operators by their other names. */
const operators: Readonly<Record<string, string>> = {
  stream: 'channel',
  streams: 'channels',
  'pm-with': 'dm',
  pm_with: 'dm',
  group_pm_with: 'group-pm-with',
}

/** Returns the canonical name of a narrow operator. */
export const canonicalOperator = (given: string): string =>
  Object.hasOwn(operators, given) ? (operators[given] ?? given) : given
