import type { ServerResponse } from 'node:http'
import type { TokenClaims } from '../room/livekit-token.ts'

/** The codes of Twirp's errors (specification, version 7) with their HTTP statuses. */
const statuses = {
  invalid_argument: 400,
  malformed: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  bad_route: 404,
  failed_precondition: 412,
  resource_exhausted: 429,
  internal: 500,
} as const

type TwirpCode = keyof typeof statuses

export class TwirpError extends Error {
  readonly code: TwirpCode

  constructor(code: TwirpCode, message: string) {
    super(message)
    this.code = code
  }
}

export function sendTwirpError(
  response: ServerResponse,
  { code, message }: { code: TwirpCode; message: string },
): void {
  response.writeHead(statuses[code], { 'content-type': 'application/json' })
  response.end(JSON.stringify({ code, msg: message }))
}

type Message = { toJson(): unknown; toBinary(): Uint8Array }
type MessageType<Request> = {
  fromJson(json: never, options: { ignoreUnknownFields: boolean }): Request
  fromBinary(octets: Uint8Array): Request
}

/** A method of the service: reads a request in either of Twirp's formats and answers in the same. */
export type Method = (claims: TokenClaims, body: Buffer, isJson: boolean) => { body: string | Uint8Array }

export function method<Request>(
  type: MessageType<Request>,
  isAllowed: (claims: TokenClaims, request: Request) => boolean,
  handle: (request: Request) => Message,
): Method {
  return (claims, body, isJson) => {
    const request = read(type, body, isJson)
    if (!isAllowed(claims, request)) throw new TwirpError('permission_denied', 'permissions denied')
    const reply = handle(request)
    return { body: isJson ? JSON.stringify(reply.toJson()) : reply.toBinary() }
  }
}

function read<Request>(type: MessageType<Request>, body: Buffer, isJson: boolean): Request {
  try {
    if (!isJson) return type.fromBinary(body)
    return type.fromJson(JSON.parse(body.toString('utf8')) as never, { ignoreUnknownFields: true })
  } catch {
    throw new TwirpError('malformed', 'the request could not be read')
  }
}
