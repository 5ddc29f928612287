import { isIP } from 'node:net'
import { maxReminderMinutes } from '@parley/rules/meetings/reminders'
import { addressDomain, isEmailAddress } from '@parley/rules/text/email-address'

/** Readers of single values of the configuration: each answers undefined for what it cannot read. */

export const parsePort = (text: string) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined)
export const parseMeetingsPerAccount = (text: string) =>
  /^[1-9]\d{0,7}$/.test(text) && Number(text) <= 10_000_000 ? Number(text) : undefined

export const parseReminderMinutes = (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) <= maxReminderMinutes ? Number(text) : undefined
/** Enough for a load balancer that checks every ten seconds and needs three failures. */
export const maxDrainSeconds = 60

export const parseDrainSeconds = (text: string) =>
  /^\d{1,2}$/.test(text) && Number(text) <= maxDrainSeconds ? Number(text) : undefined
export const parseHost = (text: string) =>
  isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) ? text : undefined
export const parseIp = (text: string) => (isIP(text) === 0 ? undefined : text)
export const parseKey = (text: string) => (/^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : undefined)

export function parseOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  // The serialised URL is the origin and a slash unless it has a user, a path, a query or a fragment, even an empty
  // one.
  return url.href === `${url.origin}/` ? url.origin : undefined
}

/** RFC 9116, 2.5.3: a URI; here a mailbox, a page or a telephone. */
export function parseContact(text: string): string | undefined {
  if (/^mailto:/.test(text)) return isEmailAddress(text.slice('mailto:'.length)) ? text : undefined
  if (/^tel:\+[\d-]{3,30}$/.test(text)) return text
  return /^https:\/\/[^\s]+$/.test(text) && URL.canParse(text) ? new URL(text).href : undefined
}

/** The host name of a URL that leads each machine to itself (RFC 6761, 6.3; RFC 1122, 3.2.1.3). */
export const isThisMachine = (hostname: string) =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])\.?$/i.test(hostname)

/**
 * OpenID Connect Discovery 1.0, 3: https without query or fragment. On the local machine http is accepted, for trying
 * it out.
 */
export function parseIssuer(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, username, search, hash } = new URL(text)
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) return undefined
  return username === '' && search === '' && hash === '' && !/[?#]/.test(text) ? text : undefined
}

/** The URL of a LiveKit server for browsers and its API: without a path, which LiveKit's clients would drop. */
export function parseLivekitUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (!['ws:', 'wss:', 'http:', 'https:'].includes(url.protocol) || url.host === '') return undefined
  if (url.href !== `${url.protocol}//${url.host}/`) return undefined
  return `${url.protocol.replace('http', 'ws')}//${url.host}`
}

/** Ports below 1024 are privileged; 0 lets the system choose. */
export function parseUdpPort(text: string): number | undefined {
  const port = parsePort(text)
  return port === 0 || (port !== undefined && port >= 1024) ? port : undefined
}

/** RFC 7065: `turn:host`, `turns:host:port`, and which transport. */
export function parseTurnUrls(text: string): string[] | undefined {
  const urls = text.split(',').map((part) => part.trim())
  const form = /^turns?:(?:[a-z\d.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\?transport=(?:udp|tcp))?$/i
  return urls.every((url) => form.test(url)) ? urls : undefined
}

const maxLabelLength = 40

export const parseLabel = (text: string): string | undefined =>
  text.length <= maxLabelLength && !/\p{Cc}/u.test(text) ? text : undefined

/** Trusting every proxy lets any client spoof its address, so a range of all addresses is refused. */
export function parseRanges(text: string): string[] | undefined {
  const ranges = text.split(',').map((part) => part.trim())
  return ranges.every(isRange) ? ranges : undefined
}

function isRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)
}

/** An email address, alone or in angle brackets after a name, which may be quoted. */
export function parseMailFrom(text: string): string | undefined {
  const inBrackets = /^(?:[^"<>()[\]\\,;:@\p{Cc}]*|"[^"\\\p{Cc}]*")\s*<([^<>]*)>$/u.exec(text)
  return isEmailAddress(inBrackets?.[1] ?? text) ? text : undefined
}

/** A local part has 64 octets (RFC 5321, 4.5.3.1.1): a plus sign and a token of 29 octets follow this part. */
export const maxReplyLocalPartLength = 31

/** ASCII, because each octet counts, and because old mail servers carry nothing else. */
export function parseReplyAddress(text: string): string | undefined {
  const [localPart = ''] = text.split('@')
  const isPlain = /^[\x21-\x7e]+$/.test(text) && !localPart.includes('+')
  return isPlain && localPart.length <= maxReplyLocalPartLength && isEmailAddress(text) ? text : undefined
}

const maxTenantNameLength = 100

export function parseTenants(text: string): ReadonlyMap<string, string> | undefined {
  const tenants = new Map<string, string>()
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [, domain = '', name = ''] = /^([^=\s]+)\s*=\s*(\P{Cc}+)$/u.exec(entry) ?? []
    const key = addressDomain(`person@${domain}`)
    if (!isEmailAddress(`person@${domain}`) || name.length > maxTenantNameLength || tenants.has(key)) return undefined
    tenants.set(key, name)
  }
  return tenants
}
