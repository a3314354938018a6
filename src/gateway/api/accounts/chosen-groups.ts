/** The groups of default channels that a new user chooses, on a page or with a program. */
import type { DefaultChannelGroupRow } from '../../../domain/log/rows.js'
import type { CallRequest } from '../../contract/call-request.js'
import { channelGroupField } from './account-pages.js'

/** The names of the chosen groups. A program names them, and the page has a box for each group. */
export const readChosenGroups = (
  groups: readonly DefaultChannelGroupRow[],
  named: readonly string[],
  { fields }: Pick<CallRequest, 'fields'>,
): string[] => [...named, ...groups.filter(({ id }) => channelGroupField(id) in fields).map(({ name }) => name)]
