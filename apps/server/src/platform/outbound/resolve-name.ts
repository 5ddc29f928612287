import { Resolver } from 'node:dns/promises'

/** Resolve all addresses of a name; none when it does not exist. Rejects when DNS does not answer. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/** The limit of one query, and the number of attempts: two fit into the time of a fetch. */
const questionLimitMs = 2_000
const tries = 2

/** Errors that mean that the name, or the record, does not exist. */
const knownToBeNone = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME'])

/**
 * Query the system's name servers, unless others are given. Do not use `getaddrinfo`, which would block a thread that
 * password hashes and files need for as long as a stranger's name server likes, and would read the operator's own names
 * from /etc/hosts.
 */
export const createResolveName =
  (nameServers?: readonly string[]): ResolveName =>
  async (name, signal) => {
    const resolver = new Resolver({ timeout: questionLimitMs, tries })
    if (nameServers !== undefined) resolver.setServers(nameServers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel)
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      const failure = answers.find((answer) => answer.status === 'rejected' && !knownToBeNone.has(answer.reason?.code))
      if (addresses.length === 0 && failure?.status === 'rejected') throw failure.reason
      return addresses
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
