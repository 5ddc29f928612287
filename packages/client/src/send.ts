import {
  type BodyOf,
  type Endpoint,
  mediaTypesOf,
  type ParamsOf,
  type Problem,
  type ProblemCode,
  type QueryOf,
} from '@parley/contract'

export type ConnectOptions = {
  /** The service's address, such as `https://meet.example.org`; empty in our own pages. */
  base: string
  /**
   * A session's, a personal or an app's token; a function is called before each request, for tokens that are renewed.
   * Without it, the browser's cookie is used.
   */
  token?: string | (() => string | Promise<string>)
  fetch?: typeof globalThis.fetch
}

/** `base` is not the address of a service: a request would reach the page's own server, or no server. */
export class InvalidBase extends TypeError {
  constructor(base: string) {
    super(`base must be the address of a Parley service, such as https://meet.example.org, not ${JSON.stringify(base)}`)
    this.name = 'InvalidBase'
  }
}

/**
 * The address to which paths are added; a slash at the end makes no difference.
 * @throws InvalidBase
 */
export function readBase(base: string): string {
  const address = base.replace(/\/+$/, '')
  if (address === '') return ''
  if (!/^https?:\/\/[^/?#@\s][^?#@\s]*$/i.test(address) || !URL.canParse(address)) throw new InvalidBase(base)
  return address
}

type Part<Name extends string, Value> = Value extends undefined
  ? unknown
  : Partial<Value> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value }

/** `follow` opens a stream, which is not a reply: use `followEvents`. */
type QueryFor<E extends Endpoint> = E['follow'] extends object ? Omit<QueryOf<E>, 'follow'> : QueryOf<E>

/** The request of an endpoint: exactly the parts that the contract declares. */
export type EndpointRequest<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryFor<E>> &
  Part<'body', BodyOf<E>> &
  (E['idempotent'] extends true ? { idempotencyKey?: string } : unknown) &
  (E['versioned'] extends true ? { ifMatch?: string } : unknown)

/** The same for code that is generic over endpoints. */
export type LooseRequest = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  idempotencyKey?: string
  ifMatch?: string
}

/** An error response (RFC 9457). */
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

/** Tell whether an error is a problem with one of these codes; a code that the contract does not have does not compile. */
export const isProblem = <const Code extends ProblemCode>(
  error: unknown,
  ...codes: readonly [Code, ...Code[]]
): error is ProblemError & { readonly problem: { readonly code: Code } } =>
  error instanceof ProblemError && codes.some((code) => code === error.problem.code)

type SendOptions = {
  signal?: AbortSignal
  /** The accepted media types; by default those of the endpoint. */
  mediaTypes?: readonly string[]
}

/**
 * Send a request. Returns the response with its body unread.
 * @throws ProblemError for every response that is not a success, or not Parley's; InvalidBase; what `fetch` throws when
 * there is no response
 */
export async function send(
  { base, token, fetch = globalThis.fetch }: ConnectOptions,
  endpoint: Endpoint,
  { params, query, body, idempotencyKey, ifMatch }: LooseRequest,
  { signal, mediaTypes = mediaTypesOf(endpoint) }: SendOptions = {},
): Promise<Response> {
  const bearer = typeof token === 'function' ? await token() : token
  const response = await fetch(readBase(base) + writePath(endpoint.path, params) + writeQuery(query), {
    method: endpoint.method,
    headers: {
      accept: [...mediaTypes, 'application/problem+json'].join(', '),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  })
  if (!response.ok) throw new ProblemError(readProblem(await response.text(), response), response.headers)
  const sent = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (sent === 'text/html' && !mediaTypes.includes(sent)) {
    const detail = `A page came instead of ${mediaTypes.join(' or ')}: base does not lead to a Parley service.`
    throw new ProblemError(unknownProblem(response.status, detail), response.headers)
  }
  return response
}

const writePath = (path: string, params: Record<string, string> = {}) =>
  path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''))

function writeQuery(query: Record<string, unknown> = {}): string {
  const sent = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return sent.length === 0 ? '' : `?${new URLSearchParams(sent)}`
}

/** A proxy in front may respond for the service, with HTML or an empty body. */
function readProblem(text: string, { status, statusText }: Response): Problem {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && 'code' in read) return read as Problem
  } catch {
    // Not a problem document of the service.
  }
  return unknownProblem(status, statusText === '' ? `The answer has the status ${status}.` : statusText)
}

const unknownProblem = (status: number, detail: string): Problem => ({
  type: 'about:blank',
  title: detail,
  status,
  detail,
  code: 'unknown',
  requestId: '',
})
