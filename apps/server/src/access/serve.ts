import { Readable } from 'node:stream'
import { type BodyOf, type Endpoint, mediaTypesOf, type ParamsOf, type QueryOf, type ReplyOf } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from '../platform/http/http.ts'
import { ProblemError } from '../platform/http/problem.ts'
import type { Database } from '../tables/tables.ts'
import { accessTopic } from './access-topic.ts'
import { endpointOf, type NoteAppRefusal } from './app-refusals.ts'
import { requireOwnOrigin } from './authenticate.ts'
import type { Caller, CallerOf } from './caller.ts'
import type { AnonymousCookie } from './credentials/anonymous-cookie.ts'
import type { Look } from './event-source.ts'
import type { AnswerOnce } from './idempotency.ts'
import { networkOf } from './network.ts'
import { missingScopes, requireRight } from './require-right.ts'
import type { StreamOwner, Streams } from './streams.ts'
import { type Check, createRequestValidator } from './validate-request.ts'

/** What a handler receives: the caller, the validated request, and the means to set the status and headers of the reply. */
export type HandlerContext<E extends Endpoint> = {
  caller: CallerOf<E>
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** The pool; inside the answer to a repeatable request, the transaction that also keeps the answer. */
  database: Database
  /** Of a stream: it is open already, and looks again. */
  again: boolean
  /** Of a stream: aborts when it ends. */
  closed: AbortSignal
  request: {
    id: string
    address: string
    userAgent: string
    acceptLanguage: string
    ifMatch: string | undefined
    ifNoneMatch: string | undefined
    /** The session that came along, at an endpoint that asks for none; undefined when there is none that is good. */
    session(): Promise<Caller | undefined>
    /** Whether it was certainly made on this machine (local-request.ts). */
    isLocal(): boolean
    /** The Cookie header. */
    cookie: string | undefined
  }
  answer: { status(code: number): void; header(name: string, value: string): void }
}

export type Handler<E extends Endpoint> = (context: HandlerContext<E>) => Promise<AnswerOf<E>>

type AnswerOf<E extends Endpoint> = E['download'] extends readonly string[]
  ? Download
  : E['stream'] extends true
    ? Look<ReplyOf<E>>
    : ReplyOf<E>

/** A file that is sent while it is made: a slow reader slows its making, and one who leaves ends it. */
export type Download = { mediaType: string; fileName: string; lines: AsyncIterable<string> }

export type Serve = <E extends Endpoint>(endpoint: E, handle: Handler<E>, check?: Check<E>) => void

export type ServeOptions = {
  http: FastifyInstance
  database: Database
  /** Finds the caller of a request or throws `unauthorized`. */
  authenticate: (request: FastifyRequest) => Promise<Caller>
  answerOnce: AnswerOnce
  streams: Streams
  guestCookie: AnonymousCookie
  baseUrl: string
  isLocalRequest: (request: FastifyRequest) => boolean
  noteAppRefusal: NoteAppRefusal
}

/** The one place where an endpoint of the contract meets HTTP: who calls, may they, is it well-formed, then the handler. */
export function createServe(options: ServeOptions): Serve {
  const { http, database, authenticate, answerOnce, streams, guestCookie, baseUrl } = options

  async function callerOf({ access }: Endpoint, request: FastifyRequest): Promise<Caller | undefined> {
    if (access === 'anyone') return undefined
    if (access !== 'visitor' || request.headers.authorization !== undefined) return authenticate(request)
    // A session that has ended leaves its cookie behind; whoever has nothing else is a guest.
    return authenticate(request).catch((error) => {
      if (!(error instanceof ProblemError) || error.code !== 'unauthorized') throw error
      if (guestCookie.read(request.headers.cookie) !== undefined) requireOwnOrigin(request, baseUrl)
      return undefined
    })
  }

  async function allowedCallerOf(endpoint: Endpoint, request: FastifyRequest): Promise<Caller | undefined> {
    const caller = await callerOf(endpoint, request)
    if (caller !== undefined) {
      noteMissingScopes(endpoint, caller, request)
      requireRight(endpoint, caller, baseUrl)
    }
    return caller
  }

  /** For the developer of the app that is about to be refused. */
  function noteMissingScopes(endpoint: Endpoint, caller: Caller, request: FastifyRequest) {
    const { credential } = caller
    // Where no scope helps, an app is refused for what it is.
    if (credential.kind !== 'oauth' || endpoint.access === 'apps:manage') return
    const missing = missingScopes(endpoint, caller)
    if (missing.length === 0) return
    const { appId, sandbox } = credential
    const refusal = { appId, sandbox, missing, requestId: request.id, endpoint: endpointOf(request) }
    options.noteAppRefusal({ kind: 'insufficient_scope', ...refusal })
  }

  return (endpoint, handle, check) => {
    if (endpoint.form) throw new TypeError(`${endpoint.name} is for apps, which have no caller`)
    const defaultStatus = endpoint.replyStatuses?.[0] ?? 200
    const validate = createRequestValidator(endpoint, check)

    http.route({
      method: endpoint.method,
      url: endpoint.path,
      // Text and files are sent as they are; only JSON is written by its schema.
      ...((endpoint.stream || mediaTypesOf(endpoint).includes('application/json')) && {
        schema: { response: { '2xx': endpoint.reply } },
      }),
      handler: async (request, reply) => {
        const caller = await allowedCallerOf(endpoint, request)
        const { query, body } = validate(request, caller)
        reply.status(defaultStatus)
        if (endpoint.mediaType !== undefined) reply.type(`${endpoint.mediaType}; charset=utf-8`)

        const sent = { ...requestContext(request, reply, options), params: request.params, query, body }
        // The schemas have said that this is what the endpoint's types say; TypeScript cannot know.
        const perform = (more: {
          caller: Caller | undefined
          database: Database
          again: boolean
          closed: AbortSignal
        }) => handle({ ...sent, ...more } as Parameters<typeof handle>[0])
        if (endpoint.stream) {
          const owner = ownerOf(caller, request)
          return streams.open(reply, owner, async (again, closed) => {
            // Whoever has signed out meanwhile, or may do less, is found out with the next look.
            const present = again ? await allowedCallerOf(endpoint, request) : caller
            const look = (await perform({ caller: present, database, again, closed })) as Look<unknown>
            if (present === undefined) return look
            return { ...look, topics: [...look.topics, accessTopic(present.accountId)] }
          })
        }
        const answer = async (on: Database) => {
          const answered = await perform({ caller, database: on, again: false, closed: neverClosed })
          return endpoint.download === undefined ? answered : startDownload(reply, answered as Download)
        }
        const key = endpoint.idempotent ? request.headers['idempotency-key'] : undefined
        if (key === undefined || caller === undefined) return answer(database)
        return answerOnce({ caller, endpoint, key, asked: [request.params, query, body], reply }, answer)
      },
    })
  }
}

/** What is answered at once has no stream that ends. */
const neverClosed = new AbortController().signal

/** Places are counted by account, those of guests by where they are. */
const ownerOf = (caller: Caller | undefined, request: FastifyRequest): StreamOwner =>
  caller === undefined
    ? { kind: 'network', id: networkOf(addressOf(request)) }
    : { kind: 'account', id: caller.accountId }

function startDownload(reply: FastifyReply, { mediaType, fileName, lines }: Download): Readable {
  reply.headers({
    'content-type': `${mediaType}; charset=utf-8`,
    'content-disposition': `attachment; filename="${fileName}"`,
  })
  return Readable.from(lines, { objectMode: false })
}

const requestContext = (
  request: FastifyRequest,
  reply: FastifyReply,
  { isLocalRequest, authenticate }: Pick<ServeOptions, 'isLocalRequest' | 'authenticate'>,
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
    isLocal: () => isLocalRequest(request),
    cookie: request.headers.cookie,
  },
  answer: {
    status: (code: number) => void reply.status(code),
    header: (name: string, value: string) => void reply.header(name, value),
  },
})
