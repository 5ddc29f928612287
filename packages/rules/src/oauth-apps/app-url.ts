import type { ClientType } from '../oauth/client-type.ts'
import { isLoopback } from '../oauth/loopback.ts'
import { hasForbiddenUrlCharacter } from '../text/url-characters.ts'

export const maxAppUrlLength = 2_048

/** Query parameters that an app's URLs must not contain, in lower case: Parley adds them, or they reveal secrets. */
const forbiddenParameters = new Map(
  ['sessionId', 'token', 'success', 'redirect_uri', 'clientId'].map((name) => [name.toLowerCase(), name]),
)

/** Which `http:` callbacks are accepted (OAUTH_HTTPS_CALLBACKS): none, those to localhost, or all. */
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
  | 'not_https'
  | 'not_native'
  | 'not_an_origin'

/** `message` completes a sentence that begins with the field's name. */
type AppUrlViolation = { code: AppUrlCode; message: string }

/**
 * Validate the URL of an app's page, such as its home page. `http:` is accepted; `isPlainHttp` flags it. The text
 * itself is stored unchanged.
 */
export function findPageUrlViolations(text: string): AppUrlViolation[] {
  const violations = findTextViolations(text)
  if (violations.some(({ code }) => code === 'too_long')) return violations
  const partViolations = validateUrlParts(text)
  // Do not report a URL as unreadable when a forbidden character made it so.
  return violations.length > 0
    ? [...violations, ...partViolations.filter(({ code }) => code !== 'not_a_url')]
    : partViolations
}

/** What is wrong with a URL whatever its scheme. */
function findTextViolations(text: string): AppUrlViolation[] {
  if (text.length > maxAppUrlLength) return [violation('too_long', `must have at most ${maxAppUrlLength} characters`)]
  return [
    ...(hasForbiddenUrlCharacter(text)
      ? [violation('forbidden_character', 'may hold only the characters of RFC 3986; write others percent-encoded')]
      : []),
    ...(text.includes('*') ? [violation('wildcard', 'must not hold a wildcard *')] : []),
    ...(text.includes('#') ? [violation('fragment', 'must not hold a fragment #')] : []),
  ]
}

/**
 * Validate a callback URL of an app of this type, with the operator's rule about `http:`. Callbacks are later compared
 * as text, without normalisation.
 */
export function findCallbackUrlViolations(
  text: string,
  policy: HttpsCallbacks,
  clientType: ClientType = 'confidential',
): AppUrlViolation[] {
  if (clientType === 'native') return findNativeCallbackViolations(text)
  const violations = findPageUrlViolations(text)
  if (violations.length > 0) return violations
  if (policy === 'require' && !isHttps(text)) return [violation('plain_http', 'must begin with https://')]
  // No client secret protects a code that is sent to such a page, so plain HTTP is refused whatever the operator's policy.
  if (clientType === 'single_page' && isPlainHttp(text)) {
    return [violation('not_https', 'must begin with https://, or lead to http://localhost')]
  }
  if (policy === 'allow-localhost' && isPlainHttp(text)) {
    return [violation('plain_http', 'must begin with https://, or lead to http://localhost')]
  }
  return []
}

/**
 * Validate a callback of a native app (RFC 8252, 7): a loopback address with any port, a private-use scheme that is a
 * domain name in reverse order, followed by one slash, or an https address that the app has claimed. The operator's rule
 * about `http:` does not concern loopback addresses, which leave no machine.
 */
function findNativeCallbackViolations(text: string): AppUrlViolation[] {
  if (/^https:/i.test(text)) return findPageUrlViolations(text)
  const general = findTextViolations(text)
  if (general.some(({ code }) => code === 'too_long')) return general
  if (!isLoopback(text) && !privateUseScheme.test(text)) {
    const message = 'must begin with https://, http://localhost, or a scheme such as com.example.app:/'
    return [...general, violation('not_native', message)]
  }
  const name = forbiddenParameterIn(text)
  return name === undefined ? general : [...general, forbiddenParameterViolation(name)]
}

/**
 * Validate the origin of pages that embed meetings (RFC 6454). Browsers compare origins exactly, so that one is written
 * as browsers write it. Cameras and microphones need an encrypted page, or one on localhost. URLs may have hosts with
 * characters that end a source or a directive of a Content-Security-Policy; origins here may not.
 */
export function findOriginViolations(text: string): AppUrlViolation[] {
  const violations = findPageUrlViolations(text)
  if (violations.length > 0) return violations
  if (isPlainHttp(text)) return [violation('not_https', 'must begin with https://, or be http://localhost')]
  if (originPattern.test(text) && new URL(text).origin === text) return []
  return [violation('not_an_origin', 'must be an origin in lower case without a path, such as https://app.example.org')]
}

/** The hosts of a Content-Security-Policy (CSP3, 2.3.1). */
const originPattern = /^https?:\/\/[a-z\d-]+(\.[a-z\d-]+)*(:\d+)?$/

/** With a dot, so that the scheme belongs to the owner of a domain, and without an authority (RFC 8252, 7.1). */
const privateUseScheme = /^[a-z][a-z\d-]*(\.[a-z\d-]+)+:\/(?!\/)/

/** Whether a valid URL is unencrypted on the network; `http://localhost` stays on the machine (RFC 8252, 8.3). */
export const isPlainHttp = (text: string) => /^http:/i.test(text) && !localHosts.includes(new URL(text).hostname)

/** No other kind of app can register the addresses. */
const localHosts = ['localhost', '127.0.0.1', '[::1]']

const isHttps = (text: string) => /^https:/i.test(text)

function validateUrlParts(text: string): AppUrlViolation[] {
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return [violation('not_a_url', 'must be a full address, such as https://example.org/')]
  if (scheme !== 'http' && scheme !== 'https') return [violation('not_http', 'must begin with https:// or http://')]
  const authority = /^https?:\/\/([^/?#\\]+)/i.exec(text)?.[1]
  if (authority === undefined) return [violation('not_a_url', 'must name a host, as in https://example.org/')]

  const violations: AppUrlViolation[] = []
  if (authority.includes('@')) violations.push(violation('userinfo', 'must not hold a user name or a password'))
  const host = readHost(text, authority)
  if (host.kind === 'ip') violations.push(violation('ip_host', 'must name a host, not an IP address'))
  else if (host.kind === 'none') return [...violations, violation('not_a_url', 'does not hold a host that can exist')]
  else if (host.name.includes('*') && !text.includes('*'))
    violations.push(violation('wildcard', 'must not hold a wildcard *'))
  const name = forbiddenParameterIn(text)
  if (name !== undefined) violations.push(forbiddenParameterViolation(name))
  return violations
}

/**
 * Read the host as a browser does (WHATWG URL, 3.5): decimal, octal and hexadecimal numbers are addresses too, in parts
 * or as a whole.
 */
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

/** WHATWG URL, 3.5, 'ends in a number': such a host is an address or invalid, never a name. */
const endsInNumber = (host: string) => /(^|\.)(\d+|0x[\da-f]*)\.?$/i.test(host)

/**
 * Compare names case-insensitively, percent-decoded as often as any later program may decode them, and without PHP's
 * brackets.
 */
function forbiddenParameterIn(text: string): string | undefined {
  const start = text.indexOf('?')
  if (start < 0) return undefined
  for (const pair of text.slice(start + 1).split(/[&;]/)) {
    const plain = decoded(pair.split('=', 1)[0] ?? '')
    // A program that decodes before splitting treats an encoded separator as a separator.
    for (const part of plain.split(/[&;?]/)) {
      const name = part.split(/[=[]/, 1)[0]?.trim().toLowerCase()
      const forbidden = forbiddenParameters.get(name ?? '')
      if (forbidden !== undefined) return forbidden
    }
  }
  return undefined
}

/** Terminates, because each round shortens the text. */
function decoded(text: string): string {
  const once = text
    .replaceAll('+', ' ')
    .replace(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return once === text ? text : decoded(once)
}

const forbiddenParameterViolation = (name: string) =>
  violation('forbidden_parameter', `must not hold the parameter ${name}`)

const violation = (code: AppUrlCode, message: string): AppUrlViolation => ({ code, message })
