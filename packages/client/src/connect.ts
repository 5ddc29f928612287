import { type Endpoint, mediaTypesOf, type ReplyOf } from '@parley/contract'
import { type ConnectOptions, type EndpointRequest, type LooseRequest, readBase, send } from './send.ts'

/** The second parameter is absent when an endpoint takes nothing, and optional when nothing is required. */
type RequestOf<E extends Endpoint> =
  unknown extends EndpointRequest<E>
    ? []
    : Partial<EndpointRequest<E>> extends EndpointRequest<E>
      ? [request?: EndpointRequest<E>]
      : [request: EndpointRequest<E>]

export type Client = {
  /** @throws ProblemError for every response that is not a success; what `fetch` throws when there is no response */
  call<E extends Endpoint>(endpoint: E, ...request: RequestOf<E>): Promise<ReplyOf<E>>
  /** Like `call`, with the status and the headers, for an ETag or a Retry-After. */
  callForResponse<E extends Endpoint>(
    endpoint: E,
    ...request: RequestOf<E>
  ): Promise<{ status: number; headers: Headers; reply: ReplyOf<E> }>
}

/**
 * Create a client of the contract's endpoints: an unknown path, parameter or field does not compile.
 * @throws InvalidBase
 */
export function connect(options: ConnectOptions): Client {
  readBase(options.base)
  const callForResponse: Client['callForResponse'] = async (endpoint, ...[request]) => {
    const response = await send(options, endpoint, (request ?? {}) as LooseRequest)
    // Not validated again: the service checks its replies against the contract. A download is returned as text, even
    // when it is JSON.
    const mediaTypes = mediaTypesOf(endpoint)
    const isJson = endpoint.download === undefined && mediaTypes.includes('application/json')
    const text = mediaTypes.length > 0 && !isJson ? await response.text() : undefined
    const reply = isJson ? await response.json() : text
    return { status: response.status, headers: response.headers, reply: reply as never }
  }
  return { call: async (endpoint, ...request) => (await callForResponse(endpoint, ...request)).reply, callForResponse }
}
