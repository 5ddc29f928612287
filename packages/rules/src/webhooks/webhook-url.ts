import { type Parsed, refuse } from '../text/parsed.ts'
import { hasForbiddenUrlCharacter } from '../text/url-characters.ts'
import { violationAt } from '../text/violation.ts'

export type WebhookUrlPolicy = {
  /** Whether `http:` to the service's own machine is accepted, where it does not leave the machine. */
  allowsLocalHttp: boolean
  isAllowedPort: (port: number) => boolean
  /** Whether events may be posted to an IP address, as text without brackets. */
  isAllowedAddress: (address: string) => boolean
}

export type WebhookUrlCode =
  | 'not_a_url'
  | 'forbidden_character'
  | 'not_https'
  | 'userinfo'
  | 'fragment'
  | 'port'
  | 'private_address'

/**
 * Read the URL of a webhook. A host that is an IP address is checked here as at each attempt; a name is resolved at each
 * attempt only, because it may lead elsewhere then.
 */
export function readWebhookUrl(path: string, text: string, policy: WebhookUrlPolicy): Parsed<string> {
  const found = findViolation(text, policy)
  return found === undefined ? { value: text } : refuse(violationAt(path, found))
}

type Found = { code: WebhookUrlCode; message: string }

function findViolation(text: string, policy: WebhookUrlPolicy): Found | undefined {
  if (hasForbiddenUrlCharacter(text)) {
    const message = 'may hold only the characters of RFC 3986, others percent-encoded, and no control characters'
    return { code: 'forbidden_character', message }
  }
  // Without two slashes, a browser would still read it as a URL, and other programs would not.
  const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)/i.exec(text)?.[1]
  if (authority === undefined || !URL.canParse(text)) {
    return { code: 'not_a_url', message: 'must be a full address, such as https://example.org/parley' }
  }
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(isLocalHttp(text) && policy.allowsLocalHttp)) {
    return { code: 'not_https', message: 'must begin with https://' }
  }
  if (authority.includes('@')) return { code: 'userinfo', message: 'must not hold a user name or a password' }
  if (text.includes('#')) return { code: 'fragment', message: 'must not hold a fragment #' }
  const port = portOf(url)
  if (!policy.isAllowedPort(port))
    return { code: 'port', message: url.port === '' ? 'must name a port from 1024 on' : `must not name port ${port}` }
  const addresses = addressesOf(url)
  if (addresses.length > 0 && !addresses.some(policy.isAllowedAddress)) {
    return { code: 'private_address', message: 'leads to a private address' }
  }
  return undefined
}

/** Whether a URL leads to the service's own machine without encryption. */
export function isLocalHttp(text: string): boolean {
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

const portOf = ({ port, protocol }: URL) => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

/**
 * The addresses of a host without resolving it; none for a name. URL has brought other spellings of an IPv4 address,
 * such as decimal ones, into the usual form. RFC 6761, 6.3: names in `localhost` lead to the machine itself.
 */
function addressesOf({ hostname }: URL): readonly string[] {
  if (hostname.startsWith('[')) return [hostname.slice(1, -1)]
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(hostname)) return [hostname]
  return /(^|\.)localhost\.?$/.test(hostname) ? ['127.0.0.1', '::1'] : []
}
