import type { IncomingMessage } from 'node:http'

/** Node keeps the first of several Authorization headers; a proxy in front may have judged the last. */
export function isAuthorizedTwice({ rawHeaders }: IncomingMessage): boolean {
  let headers = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'authorization') headers++
  }
  return headers > 1
}
