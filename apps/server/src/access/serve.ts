import { Readable } from 'node:stream'
import {
  type BodyOf,
  type Endpoint,
  type FollowedOf,
  mediaTypesOf,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, preSerializationHookHandler } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import type { Topic } from '../platform/database/topics.ts'
import { addressOf } from '../platform/http/http.ts'
import { ProblemError } from '../platform/http/problem.ts'
import { accessTopic } from './access-topic.ts'
import { endpointOf, type RecordAppRefusal } from './app-refusals.ts'
import { type Authenticate, requireOwnOrigin } from './authenticate.ts'
import type { AuthenticatedCaller, Caller, CallerOf } from './caller.ts'
import type { AnonymousCookie } from './credentials/anonymous-cookie.ts'
import type { IdempotentRunner, ReplyHead } from './idempotency.ts'
import { networkOf } from './network.ts'
import { createRequestReader, isStrict, type ReadRequest, strictApplied } from './read-request.ts'
import { limitsRequests, type RunInTurn, requesterOfCaller, requesterOfNetwork } from './request-limits.ts'
import { missingScopes, requireRight } from './require-right.ts'
import type { LogPage, StreamOwner, StreamState, Streams } from './streams.ts'

/**
 * What a handler receives: the caller, the validated request, and functions that set the status and headers of the
 * reply.
 */
export type HandlerContext<E extends Endpoint> = {
  caller: CallerOf<E>
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** The pool; for a request with an Idempotency-Key, the transaction that also stores the reply. */
  database: Database
  /** For a stream: true when an open stream reads its state again. */
  again: boolean
  /** For a stream: aborts when it ends. */
  closed: AbortSignal
  request: {
    id: string
    address: string
    userAgent: string
    acceptLanguage: string
    ifMatch: string | undefined
    ifNoneMatch: string | undefined
    /** The caller's session, at an endpoint that does not require one; undefined if there is none. */
    session(): Promise<Caller | undefined>
    /** The Cookie header. */
    cookie: string | undefined
  }
  answer: { status(code: number): void; header(name: string, value: string): void }
}

/** How an endpoint is served: `read` turns the request into domain values, and `handle` works with them. */
type EndpointHandler<E extends Endpoint, Input> = {
  /** Read the request, once, also for a stream. Absent where the schemas are enough. */
  read?: ReadRequest<E, Input>
  /** `input` is what `read` returned. */
  handle: (context: HandlerContext<E> & { input: Input }) => Promise<HandlerResult<E>>
} & (E['follow'] extends TSchema ? { follow: FollowHandler<E, Input> } : unknown)

/**
 * How an endpoint is served with `follow=true`: read on after `position`, which is undefined at first. The handler runs
 * again for each page of a stream.
 */
type FollowHandler<E extends Endpoint, Input> = (
  context: HandlerContext<E> & { input: Input; position: number | undefined },
) => Promise<LogPage<FollowedOf<E>>>

type HandlerResult<E extends Endpoint> = E['download'] extends readonly string[]
  ? Download
  : E['stream'] extends true
    ? StreamState<ReplyOf<E>>
    : ReplyOf<E>

/** A file that is generated while it is sent: a slow reader slows it down, and a disconnect stops it. */
type Download = { mediaType: string; fileName: string; lines: AsyncIterable<string> }

export type Serve = <E extends Endpoint, Input = undefined>(endpoint: E, handler: EndpointHandler<E, Input>) => void

/** What code of this service sends to an endpoint. */
export type EndpointFields<E extends Endpoint> = {
  params?: ParamsOf<E>
  query?: QueryOf<E>
  body?: BodyOf<E>
  idempotencyKey?: string
  ifMatch?: string
}

/** The authenticated caller, and the request that the call is part of. */
type EndpointCall<E extends Endpoint> = EndpointFields<E> & { caller: Caller; request: FastifyRequest }

/**
 * Answer what an endpoint would answer over HTTP: with the same check of the caller's right, the same validation and
 * the same handler. Streams and downloads cannot be called.
 */
export type CallEndpoint = <E extends Endpoint>(endpoint: E, call: EndpointCall<E>) => Promise<ReplyOf<E>>

/** The way of a call to the handler of its endpoint. */
type CallHandler = (call: EndpointCall<Endpoint>) => Promise<unknown>

type RouterOptions = {
  http: FastifyInstance
  database: Database
  authenticate: Authenticate
  runIdempotently: IdempotentRunner
  streams: Streams
  guestCookie: AnonymousCookie
  baseUrl: string
  recordAppRefusal: RecordAppRefusal
  runInTurn: RunInTurn
}

/** The part of a handler's context that is new in each read of a stream. */
type ReadContext = { caller: Caller | undefined; database: Database; again: boolean; closed: AbortSignal }
type ReadLogPageFor = (
  context: ReadContext & { position: number | undefined },
) => Promise<LogPage<Record<string, unknown>>>

/**
 * Create the router of the contract's endpoints. `serve` registers the handler of an endpoint: each request is
 * authenticated, authorized, validated and read before it is handled. `call` does the same for code of this service.
 */
export function createRouter(options: RouterOptions): { serve: Serve; call: CallEndpoint } {
  const { http, database, authenticate, runIdempotently, streams, guestCookie, baseUrl, runInTurn } = options
  const callHandlers = new Map<string, CallHandler>()

  async function callerOf({ access }: Endpoint, request: FastifyRequest): Promise<AuthenticatedCaller | undefined> {
    if (access === 'anyone') return undefined
    if (access !== 'visitor' || request.headers.authorization !== undefined) return authenticate(request)
    // An ended session leaves its cookie behind; such a request is a guest's.
    return authenticate(request).catch((error) => {
      if (!(error instanceof ProblemError) || error.code !== 'unauthorized') throw error
      if (guestCookie.read(request.headers.cookie) !== undefined) requireOwnOrigin(request, baseUrl)
      return undefined
    })
  }

  async function allowedCallerOf(
    endpoint: Endpoint,
    request: FastifyRequest,
  ): Promise<AuthenticatedCaller | undefined> {
    const caller = await callerOf(endpoint, request)
    if (caller !== undefined) {
      recordMissingScopes(endpoint, caller, request)
      requireRight(endpoint, caller, baseUrl)
    }
    return caller
  }

  /** Report to the app's developer that its call is refused for missing scopes. */
  function recordMissingScopes(endpoint: Endpoint, caller: Caller, request: FastifyRequest) {
    const { credential } = caller
    // Apps may never call endpoints of `apps:manage`, so no scope is missing.
    if (credential.kind !== 'oauth' || endpoint.access === 'apps:manage') return
    const missing = missingScopes(endpoint, caller)
    if (missing.length === 0) return
    const { appId, sandbox } = credential
    const refusal = { appId, sandbox, missing, requestId: request.id, endpoint: endpointOf(request) }
    options.recordAppRefusal({ kind: 'insufficient_scope', ...refusal })
  }

  const serve: Serve = (endpoint, handlers) => {
    const { read, handle } = handlers
    const followed =
      'follow' in handlers ? { readPage: handlers.follow as ReadLogPageFor, schema: { ...endpoint.follow } } : undefined
    if (endpoint.form) throw new TypeError(`${endpoint.name} is served by client-endpoint.ts, which authenticates apps`)
    const defaultStatus = endpoint.replyStatuses?.[0] ?? 200
    const readRequest = createRequestReader(endpoint, read)

    // The schemas have validated the types; TypeScript cannot infer it.
    const perform = (context: object) => handle(context as Parameters<typeof handle>[0])

    http.route({
      method: endpoint.method,
      url: endpoint.path,
      // The schema serializes JSON only; text and files are sent unchanged.
      ...(mediaTypesOf(endpoint).includes('application/json') && { preSerialization: serializeReplyOf(endpoint) }),
      ...limitsRequests,
      handler: async (request, reply) => {
        const caller = await allowedCallerOf(endpoint, request)
        const requester = caller === undefined ? requesterOfNetwork(request) : requesterOfCaller(caller)
        return runInTurn(request, requester, endpoint.cost, () => answerRequest(caller, request, reply))
      },
    })

    async function answerRequest(
      caller: AuthenticatedCaller | undefined,
      request: FastifyRequest,
      reply: FastifyReply,
    ) {
      if (isStrict(request.headers)) reply.headers(strictApplied)
      const { query, body, input, ignoredFields } = readRequest(request, caller)
      reply.status(defaultStatus)
      if (endpoint.mediaType !== undefined) reply.type(`${endpoint.mediaType}; charset=utf-8`)

      const sent = { ...requestContext(request, reply, options), params: request.params, query, body, input }
      // Authorize again with each read, because the session may have ended or lost a right.
      const callerFor = (again: boolean) => (again ? allowedCallerOf(endpoint, request) : caller)
      if (endpoint.stream) {
        const readState = async (again: boolean, closed: AbortSignal) => {
          const current = await callerFor(again)
          const state = await perform({ ...sent, caller: current, database, again, closed })
          return streamWhileAuthorized(current, state as StreamState<Record<string, unknown>>)
        }
        const write = serializerOf(endpoint, reply)
        return streams.open(reply, streamOwnersOf(endpoint, caller, request), readState, write)
      }
      if (followed !== undefined && Object(query).follow === true) {
        const readPage = async (position: number | undefined, closed: AbortSignal) => {
          const again = position !== undefined
          const current = await callerFor(again)
          const page = await followed.readPage({ ...sent, caller: current, database, again, closed, position })
          return streamWhileAuthorized(current, page)
        }
        const write = reply.compileSerializationSchema(followed.schema)
        return streams.follow(reply, followOwnersOf(caller, request), readPage, write)
      }
      const answer = async (on: Database) => {
        const answered = await perform({ ...sent, caller, database: on, again: false, closed: neverClosed })
        return endpoint.download === undefined ? answered : startDownload(reply, answered as Download)
      }
      const key = endpoint.idempotent ? request.headers['idempotency-key'] : undefined
      const answered =
        key === undefined || caller === undefined
          ? await answer(database)
          : await runIdempotently({ caller, endpoint, key, content: [request.params, query, body], reply }, answer)
      return ignoredFields.length > 0 && listsIgnoredFields(endpoint)
        ? { ...Object(answered), ignoredFields }
        : answered
    }

    callHandlers.set(endpoint.name, async ({ caller, request, params = {}, idempotencyKey: key, ifMatch, ...sent }) => {
      requireRight(endpoint, caller, baseUrl)
      const { query, body, input } = readRequest(sent, caller)
      const reply = createUnsentReply(defaultStatus)
      const context = requestContext(request, reply, options)
      const answer = (on: Database) =>
        perform({
          request: { ...context.request, ifMatch, ifNoneMatch: undefined },
          answer: context.answer,
          params,
          query,
          body,
          input,
          caller,
          database: on,
          again: false,
          closed: neverClosed,
        })
      if (key === undefined || !endpoint.idempotent) return answer(database)
      return runIdempotently({ caller, endpoint, key, content: [params, query, body], reply }, answer)
    })
  }

  return {
    serve,
    async call(endpoint, call) {
      const handler = callHandlers.get(endpoint.name)
      if (handler === undefined || endpoint.stream || endpoint.download) {
        throw new TypeError(`${endpoint.name} cannot be called`)
      }
      return (await handler(call)) as ReplyOf<typeof endpoint>
    },
  }
}

/** Whether a reply lists the fields of the body that were ignored: an object of JSON has a place for them. */
const listsIgnoredFields = ({ body, reply, stream, download, mediaType }: Endpoint): boolean =>
  body !== undefined && !stream && download === undefined && mediaType === undefined && 'properties' in reply

const withIgnoredFields = (reply: TSchema) => ({
  ...reply,
  properties: { ...Object(reply).properties, ignoredFields: Type.Array(Type.String()) },
})

/** Status and headers of a reply outside HTTP. */
function createUnsentReply(defaultStatus: number): ReplyHead {
  const headers = new Map<string, string>()
  return {
    statusCode: defaultStatus,
    status(code) {
      this.statusCode = code
    },
    header: (name, value) => void headers.set(name, value),
    getHeader: (name) => headers.get(name),
  }
}

/** Kept for all services of this process: tests start hundreds. */
const serializers = new WeakMap<Endpoint, (payload: Record<string, unknown>) => string>()

/** Compile the schema of an endpoint's replies for the first of them; the start would compile those of all endpoints. */
function serializerOf(endpoint: Endpoint, reply: FastifyReply) {
  const known = serializers.get(endpoint)
  if (known !== undefined) return known
  const serialize = reply.compileSerializationSchema(replySchemaOf(endpoint))
  serializers.set(endpoint, serialize)
  return serialize
}

/** A hook that serializes successful replies by the schema of an endpoint. */
const serializeReplyOf =
  (endpoint: Endpoint): preSerializationHookHandler =>
  (_request, reply, payload, next) => {
    if (reply.statusCode < 300) reply.serializer(serializerOf(endpoint, reply))
    next(null, payload)
  }

const replySchemaOf = (endpoint: Endpoint) =>
  listsIgnoredFields(endpoint) ? withIgnoredFields(endpoint.reply) : { ...endpoint.reply }

/** Replies that are not streams never close. */
const neverClosed = new AbortController().signal

function startDownload(reply: FastifyReply, { mediaType, fileName, lines }: Download): Readable {
  reply.headers({
    'content-type': `${mediaType}; charset=utf-8`,
    'content-disposition': `attachment; filename="${fileName}"`,
  })
  return Readable.from(lines, { objectMode: false })
}

const requestContext = (
  request: FastifyRequest,
  reply: ReplyHead,
  { authenticate }: Pick<RouterOptions, 'authenticate'>,
) => ({
  request: {
    id: request.id,
    address: addressOf(request),
    userAgent: request.headers['user-agent'] ?? '',
    acceptLanguage: request.headers['accept-language'] ?? '',
    ifMatch: request.headers['if-match'],
    ifNoneMatch: request.headers['if-none-match'],
    async session() {
      const caller = await authenticate(request).catch((error) => {
        if (error instanceof ProblemError) return undefined
        throw error
      })
      return caller?.credential.kind === 'session' ? caller : undefined
    },
    cookie: request.headers.cookie,
  },
  answer: {
    status: (code: number) => void reply.status(code),
    header: (name: string, value: string) => void reply.header(name, value),
  },
})

/** Have a stream read again when its caller may have lost the right to it, or its credential expires. */
function streamWhileAuthorized<State extends { topics: readonly Topic[]; changesAt?: Date | undefined }>(
  caller: AuthenticatedCaller | undefined,
  state: State,
): State {
  if (caller === undefined) return state
  const { expiresAt, accountIds } = caller
  const times = [state.changesAt, expiresAt].filter((at) => at instanceof Date)
  const changesAt = times.toSorted((a, b) => a.getTime() - b.getTime())[0]
  return { ...state, topics: [...state.topics, ...accountIds.map(accessTopic)], changesAt }
}

/**
 * Count the streams of an account; streams of guests are counted for their network. A stream for sessions alone is that
 * of an open page, which is counted apart from the streams of meetings.
 */
function streamOwnersOf({ access }: Endpoint, caller: Caller | undefined, request: FastifyRequest): StreamOwner[] {
  if (caller === undefined) return [{ kind: 'network', id: networkOf(addressOf(request)) }]
  const { accountId } = caller
  if (access !== 'session') return [{ kind: 'account', id: accountId }]
  return [
    { kind: 'pagesOfAccount', id: accountId },
    { kind: 'pages', id: '' },
  ]
}

/** Programs are counted apart from pages, so that they cannot keep the pages of an account from opening a stream. */
function followOwnersOf(caller: Caller | undefined, request: FastifyRequest): StreamOwner[] {
  const anyone: StreamOwner[] = [
    { kind: 'followersOfNetwork', id: networkOf(addressOf(request)) },
    { kind: 'followers', id: '' },
  ]
  if (caller === undefined) return anyone
  const { accountId, credential } = caller
  if (credential.kind !== 'oauth') return [{ kind: 'followersOfAccount', id: accountId }, ...anyone]
  const app = `${credential.appId} ${credential.sandbox}`
  return [{ kind: 'followersOfAccount', id: `${accountId} ${app}` }, { kind: 'followersOfApp', id: app }, ...anyone]
}
