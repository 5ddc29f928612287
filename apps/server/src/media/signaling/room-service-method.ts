import type { TokenClaims } from '../room/access-token.ts'
import { TwirpError } from './twirp.ts'

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
