/** What the first steps are, and when each one is done. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../languages/t.js'
import { type Chat, useChat } from '../realm/chat.js'
import { mayInOrganization, ownUser } from '../realm/permissions.js'
import { linkTo } from '../routing/location.js'
import { channelView } from '../routing/views.js'
import { hasPicture } from '../ui/avatar.js'

export interface FirstStep {
  label: string
  hint: string
  href: string
  isDone: boolean
}

/** The onboarding step of users who have seen the dialog of apps. */
export const APPS_STEP = 'parley_phone_apps'

const appsStep = (chat: Chat): FirstStep => ({
  label: t('Get the app for phones'),
  hint: t('A code to scan has the address of this organization.'),
  href: '#apps',
  isDone: !chat.onboardingSteps.value.has(APPS_STEP),
})

const pictureStep = (chat: Chat): FirstStep => {
  const user = ownUser(chat)
  return {
    label: t('Add your picture'),
    hint: t('Others recognize you by your name and your picture.'),
    href: '#settings/profile',
    isDone: user !== undefined && hasPicture(user),
  }
}

/** The steps of the owner of a new organization. */
export const useOwnerSteps = (): FirstStep[] => {
  const chat = useChat()
  const hasInvited = useHasInvited(chat)
  const { realm_description, realm_icon_source } = chat.organization.value
  const channels = [...chat.channels.value.values()]
  return [
    {
      label: t('Say what your organization is'),
      hint: t('Its name and a description, which people read when they log in.'),
      href: '#organization/organization-profile',
      isDone: realm_description !== undefined && realm_description !== '',
    },
    {
      label: t('Give it an icon'),
      hint: t('It is shown beside the name, in the page and in apps.'),
      href: '#organization/organization-profile',
      isDone: realm_icon_source === 'U',
    },
    {
      label: t('Set up channels'),
      hint: t('One for each team or subject. People write in topics inside of them.'),
      href: '#channels/new',
      isDone: channels.some(({ is_archived }) => !is_archived),
    },
    {
      label: t('Bring people in'),
      hint: t('By mail, or with a link that you pass on.'),
      href: '#invite',
      isDone: hasInvited,
    },
    appsStep(chat),
  ]
}

/** The steps of everyone else. */
export const useUserSteps = (): FirstStep[] => {
  const chat = useChat()
  const hasWritten = useHasWritten(chat)
  const hasAllowed = useHasAllowedNotifications()
  const channelId = firstChannel(chat)
  return [
    {
      label: t('Say hello'),
      hint: t('Write a first message, so that others know that you are here.'),
      href: channelId === undefined ? '#channels/all' : linkTo(channelView(channelId)),
      isDone: hasWritten,
    },
    pictureStep(chat),
    {
      label: t('Choose what notifies you'),
      hint: t('This browser can tell you of direct messages and mentions.'),
      href: '#settings/notifications',
      isDone: hasAllowed,
    },
    appsStep(chat),
  ]
}

/** Where a new user can write: a default channel, or another one to which they are subscribed. */
const firstChannel = (chat: Chat): number | undefined => {
  const subscribed = [...chat.subscriptions.value.keys()]
  const defaults = chat.organization.value.realm_default_streams ?? []
  return subscribed.find((id) => defaults.includes(id)) ?? subscribed[0]
}

/** Whether there are other people, or open invitations. */
const useHasInvited = (chat: Chat): boolean => {
  const isOpen = useSignal(false)
  const mayList = mayInOrganization(chat, 'can_invite_users_group')
  useEffect(() => {
    if (!mayList) return
    const check = async () => {
      isOpen.value = (await chat.client.call('GET /invites')).invites.length > 0
    }
    const ignore = () => undefined
    check().catch(ignore)
    return chat.realm.onEvent((event) => {
      if (event.type === 'invites_changed') check().catch(ignore)
    })
  }, [mayList])
  const people = [...chat.users.value.values()].filter(({ is_active, is_bot }) => is_active && !is_bot)
  return isOpen.value || people.length > 1
}

/** Whether the user has sent a message. */
const useHasWritten = (chat: Chat): boolean => {
  const hasWritten = useSignal(false)
  useEffect(() => {
    const narrow = [{ operator: 'sender', operand: chat.ownUserId ?? 0 }]
    chat.client.call('GET /messages', { narrow, anchor: 'newest', num_before: 1, num_after: 0 }).then(
      ({ messages }) => {
        if (messages.length > 0) hasWritten.value = true
      },
      () => undefined,
    )
    return chat.realm.onEvent((event) => {
      if (event.type === 'message' && event.message.sender_id === chat.ownUserId) hasWritten.value = true
    })
  }, [])
  return hasWritten.value
}

/** Whether this browser shows notifications. It tells when the user changes that. */
const useHasAllowedNotifications = (): boolean => {
  const isKnown = typeof Notification !== 'undefined'
  const hasAllowed = useSignal(isKnown && Notification.permission === 'granted')
  useEffect(() => {
    let stop: (() => void) | undefined
    let isCurrent = true
    navigator.permissions?.query({ name: 'notifications' }).then(
      (status) => {
        const read = () => {
          hasAllowed.value = status.state === 'granted'
        }
        if (!isCurrent) return
        read()
        status.addEventListener('change', read)
        stop = () => status.removeEventListener('change', read)
      },
      () => undefined,
    )
    return () => {
      isCurrent = false
      stop?.()
    }
  }, [])
  return hasAllowed.value
}
