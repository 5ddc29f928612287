export const maxAppUrlLength = 2_048

/** Parameters that an app's addresses must not carry (service.md 2.7), in lower case: they are ours or reveal secrets. */
const forbiddenParameters = new Map(
  ['sessionId', 'token', 'success', 'redirect_uri', 'clientId'].map((name) => [name.toLowerCase(), name]),
)

/** Which `http:` callbacks are taken (OAUTH_HTTPS_CALLBACKS): none, those to localhost, or all. */
export type HttpsCallbacks = 'require' | 'allow-localhost' | 'allow'

export type AppUrlCode =
  | 'not_a_url'
  | 'too_long'
  | 'forbidden_character'
  | 'not_http'
  | 'ip_host'
  | 'wildcard'
  | 'fragment'
  | 'forbidden_parameter'
  | 'userinfo'
  | 'plain_http'

/** What is wrong, and a sentence's end that goes after the field's name. */
export type AppUrlViolation = { code: AppUrlCode; message: string }

/**
 * Judges the address of a page of an app, such as its home page (service.md 2.7). `http:` is taken; whether to note it is
 * `isPlainHttp`'s word. The text itself is kept as it was sent.
 */
export function findPageUrlViolations(text: string): AppUrlViolation[] {
  if (text.length > maxAppUrlLength) return [fault('too_long', `must have at most ${maxAppUrlLength} characters`)]
  const faults = [
    ...(hasForbiddenCharacter(text)
      ? [fault('forbidden_character', 'may hold only the characters of RFC 3986; write others percent-encoded')]
      : []),
    ...(text.includes('*') ? [fault('wildcard', 'must not hold a wildcard *')] : []),
    ...(text.includes('#') ? [fault('fragment', 'must not hold a fragment #')] : []),
  ]
  const judged = validateUrlParts(text)
  // What the forbidden character has made unreadable is not told twice.
  return faults.length > 0 ? [...faults, ...judged.filter(({ code }) => code !== 'not_a_url')] : judged
}

/** The same for a callback, with the operator's rule about `http:` (oauth.md 4). Compared as text later, never normalised. */
export function findCallbackUrlViolations(text: string, policy: HttpsCallbacks): AppUrlViolation[] {
  const faults = findPageUrlViolations(text)
  if (faults.length > 0) return faults
  if (policy === 'require' && !isHttps(text)) return [fault('plain_http', 'must begin with https://')]
  if (policy === 'allow-localhost' && isPlainHttp(text)) {
    return [fault('plain_http', 'must begin with https://, or lead to http://localhost')]
  }
  return []
}

/** Whether a sound address goes over the network unencrypted; `http://localhost` stays on the machine (RFC 8252, 8.3). */
export const isPlainHttp = (text: string) => !isHttps(text) && new URL(text).hostname !== 'localhost'

const isHttps = (text: string) => /^https:/i.test(text)

function validateUrlParts(text: string): AppUrlViolation[] {
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return [fault('not_a_url', 'must be a full address, such as https://example.org/')]
  if (scheme !== 'http' && scheme !== 'https') return [fault('not_http', 'must begin with https:// or http://')]
  const authority = /^https?:\/\/([^/?#\\]+)/i.exec(text)?.[1]
  if (authority === undefined) return [fault('not_a_url', 'must name a host, as in https://example.org/')]

  const faults: AppUrlViolation[] = []
  if (authority.includes('@')) faults.push(fault('userinfo', 'must not hold a user name or a password'))
  const host = readHost(text, authority)
  if (host.kind === 'ip') faults.push(fault('ip_host', 'must name a host, not an IP address'))
  else if (host.kind === 'none') return [...faults, fault('not_a_url', 'does not hold a host that can exist')]
  else if (host.name.includes('*') && !text.includes('*')) faults.push(fault('wildcard', 'must not hold a wildcard *'))
  const name = forbiddenParameterIn(text)
  if (name !== undefined) faults.push(fault('forbidden_parameter', `must not hold the parameter ${name}`))
  return faults
}

/** As a browser reads it (WHATWG URL, 3.5): decimal, octal and hexadecimal numbers are addresses too, in parts or whole. */
function readHost(text: string, authority: string): { kind: 'ip' } | { kind: 'none' } | { kind: 'name'; name: string } {
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (host.startsWith('[') || endsInNumber(host.replace(/:\d*$/, ''))) return { kind: 'ip' }
  if (!URL.canParse(text)) return { kind: 'none' }
  const { hostname } = new URL(text)
  if (hostname.startsWith('[') || endsInNumber(hostname)) return { kind: 'ip' }
  const labels = hostname.replace(/\.$/, '').split('.')
  const canExist = hostname.length <= 254 && labels.every((label) => /^[^.]{1,63}$/.test(label))
  return canExist ? { kind: 'name', name: hostname } : { kind: 'none' }
}

/** WHATWG URL, 3.5, 'ends in a number': such a host is an address, or none at all; never a name. */
const endsInNumber = (host: string) => /(^|\.)(\d+|0x[\da-f]*)\.?$/i.test(host)

/** RFC 3986, 2, with `*` and `#`, which have codes of their own; encoded control characters end up in headers and logs. */
const hasForbiddenCharacter = (text: string) =>
  /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]|%(?![\da-f]{2})|%[01][\da-f]|%7f/i.test(text)

/** Names are compared in any case, percent-decoded as often as somebody behind may do it, without PHP's brackets. */
function forbiddenParameterIn(text: string): string | undefined {
  const start = text.indexOf('?')
  if (start < 0) return undefined
  for (const pair of text.slice(start + 1).split(/[&;]/)) {
    const plain = decoded(pair.split('=', 1)[0] ?? '')
    // An encoded separator is one to whoever decodes before splitting.
    for (const part of plain.split(/[&;?]/)) {
      const name = part.split(/[=[]/, 1)[0]?.trim().toLowerCase()
      const forbidden = forbiddenParameters.get(name ?? '')
      if (forbidden !== undefined) return forbidden
    }
  }
  return undefined
}

/** Each round makes the text shorter, so it ends. */
function decoded(text: string): string {
  const once = text
    .replaceAll('+', ' ')
    .replace(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return once === text ? text : decoded(once)
}

const fault = (code: AppUrlCode, message: string): AppUrlViolation => ({ code, message })
