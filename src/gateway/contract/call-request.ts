/** The request of a call, as every transport passes it to the call pipeline. */

/** Values by name, as received. */
export type Fields = Readonly<Record<string, unknown>>

/** The session cookie of a request, and what else the check of a session needs. */
export interface SessionCredentials {
  /** `<session id>.<secret>` */
  readonly token: string
  /** the header X-CSRF-Token; '' when it is absent */
  readonly csrf_token: string
  /** a page of another origin made the request (3) */
  readonly isForeign: boolean
  /** the request is a handshake of a WebSocket, or came over a WebSocket: the Origin is its protection */
  readonly isHandshake: boolean
}

/** A file part of a multipart body. The client chooses the name of its field. */
export interface UploadedFile {
  readonly field: string
  readonly filename: string
  readonly type: string
  readonly data: Uint8Array
}

/** A request for a call, over HTTP or over a socket. */
export interface CallRequest {
  readonly transport: 'http' | 'socket'
  readonly host: string
  readonly ip: string
  readonly userAgent: string
  /** the header Accept-Language, for a failure without an account; '' when it is absent, or was not read */
  readonly acceptLanguage: string
  /** names what the client may repeat; '' when it names nothing */
  readonly idempotencyKey: string
  /** the Authorization header; over a socket, that of its handshake. Empty when there is none */
  readonly authorization: string
  /** the session cookie, which counts where there is no Authorization header; undefined: there is none */
  readonly session: SessionCredentials | undefined
  /** the cookie of a log-in with a provider that has begun (auth/session-cookie.ts, 4); undefined: there is none */
  readonly logInFlow: string | undefined
  /** a page of another site made the request (auth/request-origin.ts) */
  readonly isFromForeignPage: boolean
  readonly fields: Fields
  /** the query of the address as it was sent, for signatures of it; '' over a socket */
  readonly query: string
  readonly encoding: 'text' | 'json'
  readonly path: Fields
  readonly files: readonly UploadedFile[]
  /** the chunks of a body that is not decoded (request-body.ts, `isRaw`) */
  readonly raw?: readonly Uint8Array[] | undefined
  /** present: the caller was authenticated before the body was received (call/pre-authenticate.ts) */
  readonly preAuthentication?: PreAuthentication | undefined
}

/** The outcome of authenticating a caller before a large body is received. */
export interface PreAuthentication {
  /** names the account among all organizations */
  readonly account: string
  /** the class in which the call was counted; undefined: it was not */
  readonly countedAs: string | undefined
}
