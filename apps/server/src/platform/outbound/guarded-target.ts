import { isIP } from 'node:net'
import { FetchRefused } from './fetch-refused.ts'
import type { ResolveName } from './resolve-name.ts'

/** A place to fetch from, judged: the connection goes to one of these addresses, and is never resolved again. */
export type GuardedTarget = { url: URL; addresses: readonly string[] }

export type TargetRules = {
  resolveName: ResolveName
  isAllowedAddress: (address: string) => boolean
  isAllowedPort: (port: number) => boolean
}

/** How many addresses of one name are tried; they are all judged. */
const maxAddressesTried = 4

/**
 * Judges where an address leads, as often as it leads somewhere: `http:` or `https:`, nobody's credentials, an allowed
 * port, and a name of which every address is allowed, so that a second look could not find a forbidden one.
 * @throws FetchRefused
 */
export async function validateTarget(url: URL, rules: TargetRules, signal: AbortSignal): Promise<GuardedTarget> {
  const refuse = (...[code, message]: [FetchRefused['code'], string]) => new FetchRefused(code, message, url.hostname)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('not_http', 'is neither https nor http')
  if (url.username !== '' || url.password !== '') throw refuse('userinfo', 'holds a user name or a password')
  const port = portOf(url)
  if (!rules.isAllowedPort(port)) throw refuse('port', `is on port ${port}, where nothing is fetched from`)

  const addresses = await addressesOf(url, rules.resolveName, signal)
  if (addresses.length === 0) throw refuse('no_such_name', 'cannot be found: its name does not exist')
  if (!addresses.every(rules.isAllowedAddress)) throw refuse('private_address', 'leads to a private address')
  return { url, addresses: addresses.slice(0, maxAddressesTried) }
}

export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

/** A URL's host without the brackets of IPv6. */
export const bareHost = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

async function addressesOf(url: URL, resolveName: ResolveName, signal: AbortSignal): Promise<readonly string[]> {
  const host = bareHost(url)
  if (isIP(host) !== 0) return [host]
  try {
    return await resolveName(host, signal)
  } catch (cause) {
    throw new FetchRefused('name_not_resolved', 'cannot be found: its name servers do not answer', url.hostname, cause)
  }
}
