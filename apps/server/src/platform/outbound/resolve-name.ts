import { Resolver } from 'node:dns/promises'

/** All addresses of a name; none when there is no such name. Rejects when nobody could say. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/** One question, and how often it is asked: two tries fit into the time of a fetch. */
const questionLimitMs = 2_000
const tries = 2

/** What a name server answers that knows the name, or knows that there is none. */
const knownToBeNone = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME'])

/**
 * Asks the name servers of the system, unless others are given. Not `getaddrinfo`, which would take up a thread that password hashes and files need
 * for as long as a stranger's name server likes, and would read names of the operator's own out of /etc/hosts.
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
