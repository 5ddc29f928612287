import { readFileSync } from 'node:fs'

/** A checker's finding against a host. */
export type HostFinding = { kind: 'denied' | 'suspicious'; message: string }

/**
 * Check a host: by the local list by default, or by a service that an operator subscribes to, such as for the age of a
 * domain. The message is a sentence. No finding means nothing known, not approval.
 */
export type HostChecker = (host: string, signal: AbortSignal) => Promise<HostFinding | undefined>

/** Create a checker of a list of hosts. */
export const createBlocklistChecker = (hosts: ReadonlySet<string>): HostChecker => {
  return async (host) => {
    const listed = domainsOf(host).find((domain) => hosts.has(domain))
    return listed === undefined ? undefined : { kind: 'denied', message: `${listed} is on the list of denied hosts.` }
  }
}

/** Read the list that comes with Parley. */
export const readBlocklist = () => parseHostList(readFileSync(new URL('blocklist.txt', import.meta.url), 'utf8'))

/** Parse a list: one host per line, in any case; comments begin with #. */
export function parseHostList(text: string): ReadonlySet<string> {
  const hosts = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase())
  return new Set(hosts.filter((host) => host !== ''))
}

/** A host and all its parent domains: a.b.c, b.c, c. */
function domainsOf(host: string): string[] {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
