export type WireRequest = { method: 'GET' | 'POST'; url: string; headers: Record<string, string>; body?: string }
type WireAnswer = { status: number; headers: readonly (readonly [string, string])[]; body: string }
export type Exchange = { request: WireRequest; answer: WireAnswer }

/** `fetch` as a third party's program has it: without the browser's cookie, so that only the request's credentials count. */
export const fetchAsProgram: typeof fetch = (url, init) =>
  fetch(url, { ...init, credentials: 'omit', cache: 'no-store' })

/**
 * Send a request as a third party's program would.
 * @throws what `fetch` throws when there is no response
 */
export async function send(request: WireRequest): Promise<Exchange> {
  const { method, url, headers, body } = request
  const answered = await fetchAsProgram(url, { method, headers, ...(body !== undefined && { body }) })
  const { status } = answered
  return { request, answer: { status, headers: [...answered.headers], body: await answered.text() } }
}

/** HTTP Basic client authentication (RFC 6749, 2.3.1). Client ids and secrets need no percent-encoding. */
export const basicOf = (clientId: string, secret: string): string => `Basic ${btoa(`${clientId}:${secret}`)}`

export const form = (fields: Record<string, string>): Pick<WireRequest, 'body' | 'headers'> => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

/** The request as it is sent, line by line. */
export function writeRequest({ method, url, headers, body }: WireRequest): string {
  const { host, pathname, search } = new URL(url, location.origin)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${pathname}${search} HTTP/1.1`, ...lines, ...(body === undefined ? [] : ['', body])].join('\n')
}

/** The response headers that are worth showing. */
const shownHeaders = /^(content-type|cache-control|www-authenticate|retry-after|x-request-id)$/

export function writeAnswer({ status, headers, body }: WireAnswer): string {
  const lines = headers.filter(([name]) => shownHeaders.test(name)).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status}`, ...lines, '', indented(body)].join('\n')
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** Characters of a masked secret that stay visible and identify it. */
const visibleSecretCharacters = 4

/** Mask each secret in a text except for its beginning. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  // Longest first, because one secret may contain another.
  const sorted = secrets.filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length)
  return sorted.reduce(
    (left, secret) => left.replaceAll(secret, `${secret.slice(0, visibleSecretCharacters)}••••••••`),
    text,
  )
}
