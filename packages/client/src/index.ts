import {
  type BodyOf,
  type Endpoint,
  mediaTypesOf,
  type ParamsOf,
  type Problem,
  type QueryOf,
  type ReplyOf,
} from '@parley/contract'

type Part<Name extends string, Value> = Value extends undefined
  ? unknown
  : Partial<Value> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value }

/** What an endpoint is asked: the parts that the contract gives it, and no others. */
export type Ask<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  Part<'body', BodyOf<E>> &
  (E['idempotent'] extends true ? { idempotencyKey?: string } : unknown) &
  (E['versioned'] extends true ? { ifMatch?: string } : unknown)

/** There is no second argument where nothing can be said, and it may be left out where nothing has to be. */
type AskOf<E extends Endpoint> =
  unknown extends Ask<E> ? [] : Partial<Ask<E>> extends Ask<E> ? [ask?: Ask<E>] : [ask: Ask<E>]

export type Client = {
  /** @throws ProblemError for every answer that is not a success; what `fetch` throws when there is no answer */
  call<E extends Endpoint>(endpoint: E, ...ask: AskOf<E>): Promise<ReplyOf<E>>
  /** The same, with the status and the headers, for an ETag or a Retry-After. */
  callForResponse<E extends Endpoint>(
    endpoint: E,
    ...ask: AskOf<E>
  ): Promise<{ status: number; headers: Headers; reply: ReplyOf<E> }>
}

export type ConnectOptions = {
  /** The service's address, without a slash at the end; empty in our own pages. */
  base: string
  /** A session's or a personal token; absent, the browser's cookie is used. */
  token?: string
  fetch?: typeof globalThis.fetch
}

/** An answer that says no (RFC 9457). */
export class ProblemError extends Error {
  readonly problem: Problem
  readonly headers: Headers

  constructor(problem: Problem, headers: Headers) {
    super(problem.detail)
    this.name = 'ProblemError'
    this.problem = problem
    this.headers = headers
  }
}

/** Calls endpoints of the contract: a path, a field or a word that is not in it does not compile. */
export function connect({ base, token, fetch = globalThis.fetch }: ConnectOptions): Client {
  const callForResponse: Client['callForResponse'] = async (endpoint, ...[ask]) => {
    const { params, query, body, idempotencyKey, ifMatch } = (ask ?? {}) as LooseAsk
    const response = await fetch(base + writePath(endpoint.path, params) + writeQuery(query), {
      method: endpoint.method,
      headers: {
        accept: [...mediaTypesOf(endpoint), 'application/problem+json'].join(', '),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const { status, headers } = response
    if (!response.ok) throw new ProblemError(readProblem(await response.text(), response), headers)
    // The contract says so, and the service checks its answers by it.
    const isJson = mediaTypesOf(endpoint).includes('application/json')
    const reply = isJson ? await response.json() : await response.text()
    return { status, headers, reply: reply as never }
  }
  return { call: async (endpoint, ...ask) => (await callForResponse(endpoint, ...ask)).reply, callForResponse }
}

type LooseAsk = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
  ifMatch?: string
}

const writePath = (path: string, params: Record<string, string> = {}) =>
  path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''))

function writeQuery(query: Record<string, unknown> = {}): string {
  const sent = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return sent.length === 0 ? '' : `?${new URLSearchParams(sent)}`
}

/** A proxy in front may answer for the service, in HTML or with nothing. */
function readProblem(text: string, { status, statusText }: Response): Problem {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && 'code' in read) return read as Problem
  } catch {
    // Not one of ours.
  }
  const title = statusText === '' ? `The answer has the status ${status}.` : statusText
  return { type: 'about:blank', title, status, detail: title, code: 'unknown', requestId: '' }
}
