/**
 * Who acts on a setting. `page` is the web client, perhaps together with the server; `server` is the server alone.
 * Nothing here acts on one with `none`: it is stored for other clients, and the answer of a call that sets it says so.
 */
export type Reader = 'page' | 'server' | 'none'

/** What the API reference says of a parameter whose setting nothing acts on. */
export const ONLY_STORED = 'only stored, for other clients: it has no effect here'
