/**
 * The picture of a user: the uploaded one, or the initials on a colour of the user's own.
 *
 * No picture is asked from Gravatar: that service would learn who reads here, and when. The initials take the place of
 * the picture that the server draws for an account without one: that one shows the same, for other clients.
 */
import { findInitials } from '#rules/initials.js'
import './avatar.css'

interface Pictured {
  user_id: number
  full_name: string
  avatar_url?: string | null
}

/** How many colours avatar.css has. */
const COLORS = 10

interface AvatarProps {
  user: Pictured
  size?: 'small' | 'medium' | 'large'
  /** a click opens the card of the user (app/dialogs.tsx), as one on the name does */
  opensCard?: boolean
}

/** Shows a user's picture. The name stands beside it, so screen readers and the Tab key skip it. */
export const Avatar = ({ user, size = 'medium', opensCard = false }: AvatarProps) => {
  const url = user.avatar_url ?? ''
  const isUploaded = hasPicture(user)
  const classes = `avatar avatar-${size} avatar-color-${user.user_id % COLORS}`
  return (
    <span
      class={classes}
      aria-hidden="true"
      {...(opensCard && { 'data-user-id': user.user_id })}
      {...(!isUploaded && { 'data-initials': initials(user.full_name) })}
    >
      {isUploaded && <img src={url} alt="" loading="lazy" decoding="async" />}
    </span>
  )
}

/** Whether the user has uploaded a picture. */
export const hasPicture = ({ avatar_url }: Pick<Pictured, 'avatar_url'>): boolean => {
  const url = avatar_url ?? ''
  if (url.startsWith('/user_avatars/drawn/')) return false
  return url.startsWith('/') || (url.startsWith('https://') && !url.includes('gravatar.com'))
}

/** `MC` for `Mira Castellan`. */
export const initials = (name: string): string =>
  findInitials(name)
    .map((letter) => letter.toUpperCase())
    .join('')
