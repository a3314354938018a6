/** Services of others that an organization may choose among: who makes its calls, and which GIFs it wants to see. */

/** Ways of making calls, by the keys under which clients know them. */
export const videoChatProviders = {
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
}

/** Ratings of GIFs, by the keys under which the service knows them. */
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
