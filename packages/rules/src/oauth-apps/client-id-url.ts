import { hasForbiddenUrlCharacter } from '../text/url-characters.ts'

/** People read it, and it is stored with each request of the client. */
export const maxClientIdUrlLength = 500

type ClientIdUrlCode =
  | 'too_long'
  | 'forbidden_character'
  | 'not_https'
  | 'not_canonical'
  | 'userinfo'
  | 'fragment'
  | 'no_path'
  | 'port'
  | 'not_a_domain'

type ClientIdUrl =
  /** `host` has the port where it is not 443. */
  | { kind: 'allowed'; host: string }
  /** `message` completes a sentence that begins with `client_id`. */
  | { kind: 'refused'; code: ClientIdUrlCode; message: string }

/**
 * Whether a client id is meant as the URL of a client ID metadata document. Generated ids have no colon
 * (draft-ietf-oauth-client-id-metadata-document, 7.1).
 */
export const isClientIdUrl = (clientId: string): boolean => /^https?:/i.test(clientId)

/**
 * Read the URL of a client ID metadata document (draft-ietf-oauth-client-id-metadata-document, 3). The URL is accepted
 * only as a browser would write it: URLs are compared as text, so each document has one URL, and the URL that is shown
 * is the URL that is fetched. Dot segments, capitals in the host and the port 443 are therefore refused.
 */
export function readClientIdUrl(clientId: string): ClientIdUrl {
  if (clientId.length > maxClientIdUrlLength) {
    return refuse('too_long', `must have at most ${maxClientIdUrlLength} characters`)
  }
  if (hasForbiddenUrlCharacter(clientId)) {
    return refuse('forbidden_character', 'may hold only the characters of RFC 3986; write others percent-encoded')
  }
  const url = URL.parse(clientId)
  if (url === null) return refuse('not_canonical', 'must be a full address, such as https://example.org/client.json')
  if (url.protocol !== 'https:') return refuse('not_https', 'must begin with https://')
  if (url.username !== '' || url.password !== '') return refuse('userinfo', 'must not hold a user name or a password')
  if (clientId.includes('#')) return refuse('fragment', 'must not hold a fragment #')
  if (url.pathname === '/') return refuse('no_path', 'must have a path, as in https://example.org/client.json')
  if (url.href !== clientId || hasDotSegment(url.pathname)) {
    return refuse('not_canonical', `must be written without detours, such as ${url.href}`)
  }
  if (url.port !== '' && Number(url.port) < minPort) {
    return refuse('port', `must not name port ${url.port}`)
  }
  if (!isDomain(url.hostname)) return refuse('not_a_domain', 'must name a host on the internet, such as example.org')
  return { kind: 'allowed', host: url.host }
}

/** Below lie services that accept commands from any client. */
const minPort = 1_024

/** URL has resolved dot segments, percent-encoded ones included; those with an encoded slash remain. */
const hasDotSegment = (path: string) =>
  path
    .replace(/%2f|%5c/gi, '/')
    .replace(/%2e/gi, '.')
    .split('/')
    .some((segment) => segment === '.' || segment === '..')

/** A name in a public zone: no address, and no name that only the service's own network knows, as far as it shows. */
function isDomain(hostname: string): boolean {
  const labels = hostname.split('.')
  const last = labels.at(-1) ?? ''
  return (
    labels.length > 1 &&
    labels.every((label) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/.test(label)) &&
    /[a-z]/.test(last) &&
    last !== 'localhost'
  )
}

const refuse = (code: ClientIdUrlCode, message: string): ClientIdUrl => ({ kind: 'refused', code, message })
