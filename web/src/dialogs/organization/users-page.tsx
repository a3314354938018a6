/** All accounts, also the deactivated ones. */

import { useComputed, useSignal } from '@preact/signals'
import { t } from '../../languages/t.js'
import { compareNames, filterByName } from '../../members/member-rows.js'
import { useChat } from '../../realm/chat.js'
import { roleName } from '../../realm/roles.js'
import { ListFilter } from '../list-filter.js'
import { PeopleList } from '../people-list.js'

type Kind = 'people' | 'bots' | 'deactivated'

const kinds: { value: Kind; label: string }[] = [
  { value: 'people', label: t('People') },
  { value: 'bots', label: t('Bots') },
  { value: 'deactivated', label: t('Deactivated accounts') },
]

/** The page "Users". A name leads to the card, on which administrators change the account. */
export const UsersPage = () => {
  const chat = useChat()
  const words = useSignal('')
  const kind = useSignal<Kind>('people')
  const sorted = useComputed(() =>
    [...chat.users.value.values()]
      .filter(({ is_active, is_bot }) => {
        if (kind.value === 'deactivated') return !is_active
        return is_active && is_bot === (kind.value === 'bots')
      })
      .sort(compareNames),
  )
  const users = filterByName(sorted.value, words.value)
  return (
    <>
      <ListFilter label={t('Search users')} words={words} kind={kind} kinds={kinds} />
      {users.length === 0 ? (
        <p class="soft-text">{t('There is no such account.')}</p>
      ) : (
        <PeopleList
          label={t('Users')}
          users={users}
          renderEnd={(user) => <span class="soft-text">{user.is_bot ? t('Bot') : roleName(user.role)}</span>}
        />
      )}
    </>
  )
}
