import { isIP } from 'node:net'
import { FetchRefused } from './fetch-refused.ts'
import type { ResolveName } from './resolve-name.ts'

/** A validated target: the connection goes to one of these addresses, which are never resolved again. */
export type GuardedTarget = { url: URL; addresses: readonly string[] }

type TargetPolicy = {
  resolveName: ResolveName
  isAllowedAddress: (address: string) => boolean
  isAllowedPort: (port: number) => boolean
}

/** How many addresses of a name are tried; all are validated. */
const maxAddressesTried = 4

/**
 * Validate a URL: `http:` or `https:`, no credentials, an allowed port, and a name of which every address is allowed,
 * so that a second look-up could not give a forbidden one.
 *
 * @throws FetchRefused
 */
export async function validateTarget(url: URL, policy: TargetPolicy, signal: AbortSignal): Promise<GuardedTarget> {
  const refuse = (...[code, message]: [FetchRefused['code'], string]) => new FetchRefused(code, message, url.hostname)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('not_http', 'is neither https nor http')
  if (url.username !== '' || url.password !== '') throw refuse('userinfo', 'holds a user name or a password')
  const port = portOf(url)
  if (!policy.isAllowedPort(port)) throw refuse('port', `is on port ${port}, where nothing is fetched from`)

  const addresses = await addressesOf(url, policy.resolveName, signal)
  if (addresses.length === 0) throw refuse('no_such_name', 'cannot be found: its name does not exist')
  if (!addresses.every(policy.isAllowedAddress)) throw refuse('private_address', 'leads to a private address')
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
