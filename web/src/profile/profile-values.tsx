/** The values of a user's custom fields on the card of the user. */

import type { User } from '@parley/client/realm'
import { listElements } from '../languages/lists.js'
import { t } from '../languages/t.js'
import { useMentions } from '../messages/parts/mentions.js'
import { linkAddress } from '../messages/rendered/addresses.js'
import { RenderedMessage } from '../messages/rendered/rendered-message.js'
import { useChat } from '../realm/chat.js'
import { userName } from '../realm/names.js'
import { Boundary } from '../ui/boundary.js'
import { formatCalendarDate } from '../ui/times.js'
import {
  externalAddress,
  FieldType,
  fieldOptions,
  fieldValue,
  type ProfileField,
  peopleOf,
  profileFields,
} from './profile-fields.js'

/** The fields that have a value, as terms and descriptions of a list. */
export const ProfileValues = ({ user }: { user: User }) => (
  <>
    {profileFields(useChat()).map((field) =>
      fieldValue(user, field) === '' ? null : (
        <>
          <dt key={`name-${field.id}`}>{field.name}</dt>
          <dd key={`value-${field.id}`} dir="auto">
            <Boundary note={t('This value cannot be shown.')} of={user}>
              <FieldValue user={user} field={field} />
            </Boundary>
          </dd>
        </>
      ),
    )}
  </>
)

const FieldValue = ({ user, field }: { user: User; field: ProfileField }) => {
  const chat = useChat()
  const value = fieldValue(user, field)
  const html = user.profile_data?.[field.id]?.rendered_value
  const mentions = useMentions(chat)
  switch (field.type) {
    case FieldType.shortText:
    case FieldType.longText:
      return html === undefined ? value : <RenderedMessage html={html} mentions={mentions} />
    case FieldType.options:
      return fieldOptions(field).find((option) => option.value === value)?.label ?? null
    case FieldType.date:
      return formatCalendarDate(value)
    case FieldType.link:
      return <OutsideLink address={value} text={value} />
    case FieldType.externalAccount:
      return <OutsideLink address={externalAddress(chat, field, value)} text={value} />
    case FieldType.people:
      return listElements(
        peopleOf(value).map((id) => (
          <a key={id} href={`#user/${id}`}>
            <bdi>{userName(chat, id)}</bdi>
          </a>
        )),
      )
    default:
      return value
  }
}

const OutsideLink = ({ address, text }: { address: string | undefined; text: string }) => {
  const href = address === undefined ? undefined : linkAddress(address)
  if (href === undefined || !/^https?:/i.test(href)) return text
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  )
}
