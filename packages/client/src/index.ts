import { type Endpoint, mediaTypesOf, type ReplyOf } from '@parley/contract'
import { type Ask, type ConnectOptions, type LooseRequest, send } from './send.ts'

export { blurBackground, canBlurBackground } from './background-blur.ts'
export { type ListenOptions, listen } from './listen.ts'
export { type Ask, type ConnectOptions, ProblemError } from './send.ts'

/** There is no second argument where nothing can be said, and it may be left out where nothing has to be. */
type RequestOf<E extends Endpoint> =
  unknown extends Ask<E> ? [] : Partial<Ask<E>> extends Ask<E> ? [ask?: Ask<E>] : [ask: Ask<E>]

export type Client = {
  /** @throws ProblemError for every answer that is not a success; what `fetch` throws when there is no answer */
  call<E extends Endpoint>(endpoint: E, ...ask: RequestOf<E>): Promise<ReplyOf<E>>
  /** The same, with the status and the headers, for an ETag or a Retry-After. */
  callForResponse<E extends Endpoint>(
    endpoint: E,
    ...ask: RequestOf<E>
  ): Promise<{ status: number; headers: Headers; reply: ReplyOf<E> }>
}

/** Calls endpoints of the contract: a path, a field or a word that is not in it does not compile. */
export function connect(options: ConnectOptions): Client {
  const callForResponse: Client['callForResponse'] = async (endpoint, ...[ask]) => {
    const response = await send(options, endpoint, (ask ?? {}) as LooseRequest)
    // The contract says so, and the service checks its answers by it. A file is text, also one that holds JSON.
    const isJson = endpoint.download === undefined && mediaTypesOf(endpoint).includes('application/json')
    const reply = isJson ? await response.json() : await response.text()
    return { status: response.status, headers: response.headers, reply: reply as never }
  }
  return { call: async (endpoint, ...ask) => (await callForResponse(endpoint, ...ask)).reply, callForResponse }
}
