import type { Static, TObject, TSchema } from 'typebox'
import type { ProblemCode } from './problems.ts'
import { isPersonalScope, type PersonalScope, type Scope } from './scopes.ts'

/**
 * The callers of an endpoint. `anyone`: no token is read. `session`: a person who signed in, and no token that acts for
 * one. `administrator`, `reviewer`: a session of one. `client`: an app that authenticates with its client id and secret
 * (RFC 6749, 2.3). `visitor`: everyone; a signed-in person, or the user of a token with `meeting:join`, enters under
 * their own name. `any-scope`: a session, or a token with any scopes, on which the reply depends. A scope: a session,
 * or any token with the scope. Only personal tokens carry `apps:manage`, never an app's.
 */
export type EndpointAccess =
  | 'anyone'
  | 'visitor'
  | 'session'
  | 'administrator'
  | 'reviewer'
  | 'client'
  | 'any-scope'
  | PersonalScope

/**
 * What a request may cost the service at most, which decides how many of a caller, or of a network without one, are
 * answered at a time (docs/reliability.md, "Fair shares").
 * `none`: answered from memory, or asked by supervisors; never waits.
 * `light`: reads or writes a few rows that are found by their key.
 * `query`: reads or writes up to some hundred rows, such as a meeting with its participants.
 * `heavy`: computes, or reads what grows with the account: lists, dates of all series.
 * `compose`: writes a whole document: a calendar, an export.
 * `elsewhere`: waits most of the time for something that has a limit of its own: passwords to be hashed, another server.
 */
export const costs = ['none', 'light', 'query', 'heavy', 'compose', 'elsewhere'] as const
export type Cost = (typeof costs)[number]

/**
 * One endpoint of the service. The server serves it, the client calls it, and OpenAPI describes it from this value.
 */
export type Endpoint = {
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters as `:name`. */
  path: string
  tag: Tag
  summary: string
  description?: string
  access: EndpointAccess
  /**
   * There is no default, so that an endpoint that is open to anyone cannot be cheap by oversight: floods choose these.
   */
  cost: Cost
  /**
   * Scopes that a token needs in addition to that of `access`, because the endpoint acts on people other than its user,
   * or does what another endpoint does with that scope. Signed-in people, and guests, who have no token, need none.
   */
  furtherScopes?: readonly Scope[]
  params?: TObject
  query?: TObject
  body?: TObject
  /**
   * Names that other APIs give to a field of the query or the body, each refused with what to send instead: ignoring
   * one would do something else than was meant.
   */
  misnomers?: Readonly<Record<string, string>>
  /**
   * A valid request body for the reference and for collections. People send it unchanged first: its times are in the
   * future, no one is muted, and no other person is emailed.
   */
  example?: Readonly<Record<string, unknown>>
  /** The body is `application/x-www-form-urlencoded`, as in OAuth, and errors are those of RFC 6749, 5.2. */
  form?: true
  reply: TSchema
  /** What a caller reads of the resource, and may send back in the body; the reply when absent. */
  sentBack?: TSchema
  /** The answer is a file of one of these media types, streamed; `reply` is its text. */
  download?: readonly string[]
  /** The media type of a success that is not JSON; `reply` is then a string. */
  mediaType?: 'text/calendar'
  /** A client that prefers HTML (`Accept`), such as a browser, gets a page with the same content. */
  page?: true
  /**
   * The answer is an open stream of server-sent events. The data of each event is a `reply`, and each event replaces
   * the one before.
   */
  stream?: true
  /**
   * With `follow=true` in its query, the endpoint answers with an open stream of server-sent events instead: what the
   * list has after the cursor, and then what is added to it. The data of each event is this, its `id` is the cursor
   * after it, and `Last-Event-ID` is read as `after`.
   */
  follow?: TSchema
  /** The statuses of a success, the most common first; 200 when absent. */
  replyStatuses?: readonly [number, ...number[]]
  /**
   * Honours `Idempotency-Key`: a retry with the same key and body gets the first answer again. Not for a body with a
   * password or a passkey's response: a fast hash of the body is stored, and a refusal rolls back what it wrote, such
   * as the use of a challenge.
   */
  idempotent?: true
  /** Returns an `ETag` and, for changes, honours `If-Match` (RFC 9110, 13.1.1). */
  versioned?: true
  /** Returns an `ETag`, and 304 when the client already has that version (RFC 9110, 13.1.2). */
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
  | 'Events'
  | 'Webhooks'
  | 'Service'

type StaticOf<S> = S extends TSchema ? Static<S> : undefined
export type ParamsOf<E extends Endpoint> = StaticOf<E['params']>
export type QueryOf<E extends Endpoint> = StaticOf<E['query']>
export type BodyOf<E extends Endpoint> = StaticOf<E['body']>
export type ReplyOf<E extends Endpoint> = Static<E['reply']>
/** The data of an event of the stream that `follow=true` opens. */
export type FollowedOf<E extends Endpoint> = StaticOf<E['follow']>

export const endpoint = <const E extends Endpoint>(value: E): E => value

/** What other APIs page by. A list that ignored one would answer its first page again and again. */
const otherPaging = ['page', 'skip', 'start', 'per_page', 'page_token', 'pageToken', 'page_size', 'pageSize']

/** The misnomers of an endpoint; those of paging belong to every list that has a cursor. */
export function misnomersOf({ query, misnomers = {} }: Endpoint): Readonly<Record<string, string>> {
  const { after, ...fields } = Object(query?.properties)
  if (after === undefined) return misnomers
  const message = 'is no name of paging here: send limit, and after with the nextCursor of the page before'
  const paging = otherPaging.filter((name) => !Object.hasOwn(fields, name)).map((name) => [name, message])
  return { ...Object.fromEntries(paging), ...misnomers }
}

/** All scopes that a token needs for an endpoint; empty when no token can call it. */
export function scopesOf({
  access,
  furtherScopes = [],
}: Pick<Endpoint, 'access' | 'furtherScopes'>): readonly PersonalScope[] {
  // A visitor with a token enters as the token's user.
  const scope = access === 'visitor' ? 'meeting:join' : access
  return isPersonalScope(scope) ? [scope, ...furtherScopes] : []
}

/** The media types of a success: none of 204; of a stream that `follow=true` opens, `text/event-stream`. */
export function mediaTypesOf({ download, mediaType, stream, replyStatuses }: Endpoint): readonly string[] {
  if (replyStatuses?.[0] === 204) return []
  return download ?? [mediaType ?? (stream ? 'text/event-stream' : 'application/json')]
}
