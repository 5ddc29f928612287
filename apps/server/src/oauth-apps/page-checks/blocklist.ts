import { readFileSync } from 'node:fs'

/** What a checker knows of a host that does not speak for it. */
export type HostFinding = { kind: 'denied' | 'suspicious'; message: string }

/**
 * Judges a host: the local list by default, or whatever an operator subscribes to, such as the age of a domain. The message
 * is a sentence. Nothing found is not a passed evaluation, only that there is nothing to say.
 */
export type HostChecker = (host: string, signal: AbortSignal) => Promise<HostFinding | undefined>

/** A checker that knows a list of hosts by heart. */
export const hostListChecker = (hosts: ReadonlySet<string>): HostChecker => {
  return async (host) => {
    const listed = domainsOf(host).find((domain) => hosts.has(domain))
    return listed === undefined ? undefined : { kind: 'denied', message: `${listed} is on the list of denied hosts.` }
  }
}

/** The list that comes with Parley. */
export const readBlocklist = () => parseHostList(readFileSync(new URL('blocklist.txt', import.meta.url), 'utf8'))

/** One host a line, in any case; what follows a # is for people. */
export function parseHostList(text: string): ReadonlySet<string> {
  const hosts = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase())
  return new Set(hosts.filter((host) => host !== ''))
}

/** A host and all domains above it: a.b.c, b.c, c. */
function domainsOf(host: string): string[] {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
