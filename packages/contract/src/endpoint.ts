import type { Static, TObject, TSchema } from 'typebox'
import type { ProblemCode } from './problems.ts'
import type { Scope } from './scopes.ts'

/**
 * Who may call an endpoint.
 * `anyone`: no token is read. `session`: a person who signed in, and nothing that merely acts for them.
 * `account`: a session or a personal token, never an app. `administrator`, `reviewer`: a session of one.
 * `client`: an app that proves itself with its client id and secret (RFC 6749, 2.3).
 * `visitor`: anybody; whoever signed in, or brings a token with `meeting:join`, comes as themselves (rooms.md 2).
 * A scope: a session, or any token that carries the scope.
 */
export type Access = 'anyone' | 'visitor' | 'session' | 'account' | 'administrator' | 'reviewer' | 'client' | Scope

/** One endpoint of the service, said once: the server serves it, the client calls it, OpenAPI describes it. */
export type Endpoint = {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Parameters are written `:name`. */
  path: string
  tag: Tag
  summary: string
  description?: string
  access: Access
  params?: TObject
  query?: TObject
  body?: TObject
  /** The body is `application/x-www-form-urlencoded`, as OAuth's are, and errors are those of RFC 6749, 5.2. */
  form?: true
  reply: TSchema
  /** The answer is a file of one of these media types, sent while it is made; `reply` is its text. */
  download?: readonly string[]
  /** What a success is where it is no JSON: text of this type, and `reply` a string. */
  mediaType?: 'text/calendar'
  /** The answer is a stream of server-sent events that stays open; the data of each is a `reply`, and the newest is all that counts. */
  stream?: true
  /** The statuses a success can have, the usual one first; 200 when absent. */
  replyStatuses?: readonly [number, ...number[]]
  /** Honours `Idempotency-Key`: a retry with the same key and body gets the first answer again. */
  idempotent?: true
  /** Answers an `ETag` and, where something changes, honours `If-Match` (RFC 9110, 13.1.1). */
  versioned?: true
  /** Answers an `ETag`, and 304 to those who have what it names (RFC 9110, 13.1.2). */
  conditional?: true
  problems: readonly ProblemCode[]
}

export type Tag =
  | 'Meetings'
  | 'Calendars'
  | 'Profile'
  | 'Accounts'
  | 'OAuth'
  | 'Apps'
  | 'Reviews'
  | 'Administration'
  | 'Rooms'
  | 'Service'

type Told<S> = S extends TSchema ? Static<S> : undefined
export type ParamsOf<E extends Endpoint> = Told<E['params']>
export type QueryOf<E extends Endpoint> = Told<E['query']>
export type BodyOf<E extends Endpoint> = Told<E['body']>
export type ReplyOf<E extends Endpoint> = Static<E['reply']>

export const endpoint = <const E extends Endpoint>(value: E): E => value

/** What a success of the endpoint can be, by its media type. */
export const mediaTypesOf = ({ download, mediaType, stream }: Endpoint): readonly string[] =>
  download ?? [mediaType ?? (stream ? 'text/event-stream' : 'application/json')]
