/**
 * The declared answer of a method and a path, as a type: derived from the registry of endpoints.
 *
 * `Operations['POST /messages']` is what `sendMessage` declares. A placeholder of a path is `{}` here, so
 * `/messages/{message_id}` of the declaration and `/messages/${id}` of a test lead to one key.
 */
import type { z } from 'zod'
import type { registry } from '../../../src/gateway/api/index.js'

type Registry = typeof registry

/** Text that is only known when the program runs, such as the `${id}` of a template. */
type IsVariable<S extends string> = Record<never, never> extends Record<S, 1> ? true : false

type Segment<S extends string> = S extends `{${string}}` | `${number}` | 'undefined'
  ? '{}'
  : IsVariable<S> extends true
    ? '{}'
    : S

/** A path with `{}` for each segment that is a placeholder or is not literal. */
type Pattern<S extends string> = S extends `${infer First}/${infer Rest}`
  ? `${Segment<First>}/${Pattern<Rest>}`
  : Segment<S>

type Paths<L> = L extends string ? Pattern<L> : L extends readonly string[] ? Pattern<L[number]> : never

/** What each endpoint declares to answer, by its method and its paths. */
export type Operations = {
  [Name in keyof Registry as `${Registry[Name]['method']} ${Paths<NonNullable<Registry[Name]['route']>>}`]: z.output<
    Registry[Name]['response']
  >
}

/** The declared answer of a call that succeeded, in its envelope. A path that is not literal may answer anything. */
export type Success<M extends string, P extends string> = Envelope &
  (`${M} ${Pattern<P>}` extends keyof Operations ? Fields<Operations[`${M} ${Pattern<P>}`]> : Record<string, unknown>)

/** What every successful answer has beside the declared fields. */
export type Envelope = {
  result: 'success'
  msg: string
  ignored_parameters_unsupported?: string[]
}

/**
 * The fields that a test may read. An answer without fields has none, instead of any with the type `never`. The
 * sections of a registration are optional, because the client chooses them: a test reads those it has chosen.
 */
type Fields<R> = [keyof R] extends [never]
  ? unknown
  : R extends Record<string, never>
    ? unknown
    : R extends { queue_id: string | null }
      ? { [K in keyof R]-?: K extends 'queue_id' ? string : NonNullable<R[K]> }
      : R
