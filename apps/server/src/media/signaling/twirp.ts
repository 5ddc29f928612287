import type { ServerResponse } from 'node:http'

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
