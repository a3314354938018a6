import { useChat } from '../realm/chat.js'

/** Shows the name of the organization. Where it has logos, they take the place of icon and name. */
export const OrganizationName = ({ name }: { name: string | undefined }) => {
  const { realm_logo_source, realm_logo_url, realm_night_logo_source, realm_night_logo_url } =
    useChat().organization.value
  const day = realm_logo_source === 'U' ? realm_logo_url : undefined
  const night = realm_night_logo_source === 'U' ? realm_night_logo_url : undefined
  if (day === undefined && night === undefined) return <span dir="auto">{name}</span>
  return (
    <span class="organization-logos">
      <img class="logo-by-day" src={day ?? night} alt={name} />
      <img class="logo-by-night" src={night ?? day} alt={name} />
    </span>
  )
}
