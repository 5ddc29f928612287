export type WireRequest = { method: 'GET' | 'POST'; url: string; headers: Record<string, string>; body?: string }
export type WireAnswer = { status: number; headers: readonly (readonly [string, string])[]; body: string }
export type Exchange = { request: WireRequest; answer: WireAnswer }

/**
 * Sends a request as a third party's program would: without the reader's cookie, so that its credentials alone decide.
 * @throws what `fetch` throws when there is no answer
 */
export async function send(request: WireRequest): Promise<Exchange> {
  const { method, url, headers, body } = request
  const answered = await fetch(url, {
    ...{ method, headers, credentials: 'omit', cache: 'no-store' },
    ...(body !== undefined && { body }),
  })
  const { status } = answered
  return { request, answer: { status, headers: [...answered.headers], body: await answered.text() } }
}

/** HTTP Basic of a client (RFC 6749, 2.3.1): its letters need no encoding. */
export const basicOf = (clientId: string, secret: string): string => `Basic ${btoa(`${clientId}:${secret}`)}`

export const form = (fields: Record<string, string>): Pick<WireRequest, 'body' | 'headers'> => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

/** As it goes over the wire, line by line. */
export function writeRequest({ method, url, headers, body }: WireRequest): string {
  const { host, pathname, search } = new URL(url, location.origin)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${pathname}${search} HTTP/1.1`, ...lines, ...(body === undefined ? [] : ['', body])].join('\n')
}

/** What tells a reader something of an answer; the rest is the same for all. */
const toldHeaders = /^(content-type|cache-control|www-authenticate|retry-after|x-request-id)$/

export function writeAnswer({ status, headers, body }: WireAnswer): string {
  const lines = headers.filter(([name]) => toldHeaders.test(name)).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status}`, ...lines, '', indented(body)].join('\n')
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** What tells that it is a token, and nothing of the token. */
const shownOfSecret = 4

/** The same text with each secret in it covered but for its beginning. */
export function cover(text: string, secrets: readonly string[]): string {
  // The longest first: one may be a part of another.
  const sorted = secrets.filter((secret) => secret !== '').toSorted((one, other) => other.length - one.length)
  return sorted.reduce((left, secret) => left.replaceAll(secret, `${secret.slice(0, shownOfSecret)}••••••••`), text)
}
