/** External services that an organization may choose: video chat providers, and ratings of GIFs. */

/** Video chat providers by the keys that clients know. */
export const videoChatProviders = {
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
}

/** Ratings of GIFs by the keys of the service. */
export const gifRatings = Object.fromEntries(
  [
    ['disabled', 0, 'GIPHY integration disabled'],
    ['y', 1, 'Allow GIFs rated Y (Very young audience)'],
    ['g', 2, 'Allow GIFs rated G (General audience)'],
    ['pg', 3, 'Allow GIFs rated PG (Parental guidance)'],
    ['pg-13', 4, 'Allow GIFs rated PG-13 (Parental guidance - under 13)'],
    ['r', 5, 'Allow GIFs rated R (Restricted)'],
  ].map(([key, id, name]) => [key, { id, name }]),
) as Record<string, { id: number; name: string }>
