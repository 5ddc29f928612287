import type { Static, TObject, TSchema } from 'typebox'
import type { ProblemCode } from './problems.ts'
import { isPersonalScope, type PersonalScope, type Scope } from './scopes.ts'

/**
 * Who may call an endpoint.
 * `anyone`: no token is read. `session`: a person who signed in, and nothing that merely acts for them.
 * `administrator`, `reviewer`: a session of one.
 * `client`: an app that proves itself with its client id and secret (RFC 6749, 2.3).
 * `visitor`: anybody; whoever signed in, or brings a token with `meeting:join`, comes as themselves (rooms.md 2).
 * A scope: a session, or any token that carries the scope; `apps:manage` is carried by personal tokens alone, never an app's.
 */
export type Access = 'anyone' | 'visitor' | 'session' | 'administrator' | 'reviewer' | 'client' | PersonalScope

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
  /**
   * Scopes that a token needs besides that of `access`: the endpoint acts on people other than its user. A person who
   * signed in, and a guest, who has no token, need none.
   */
  furtherScopes?: readonly Scope[]
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
  /** A browser, which prefers HTML (`Accept`), gets a page that says the same. */
  page?: true
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

/** The scopes that a token needs for an endpoint, all of them; empty where no scope opens it. */
export function scopesOf({
  access,
  furtherScopes = [],
}: Pick<Endpoint, 'access' | 'furtherScopes'>): readonly PersonalScope[] {
  // A visitor with a token enters in the name of its user.
  const scope = access === 'visitor' ? 'meeting:join' : access
  return isPersonalScope(scope) ? [scope, ...furtherScopes] : []
}

/** What a success of the endpoint can be, by its media type. */
export const mediaTypesOf = ({ download, mediaType, stream }: Endpoint): readonly string[] =>
  download ?? [mediaType ?? (stream ? 'text/event-stream' : 'application/json')]
