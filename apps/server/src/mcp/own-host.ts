import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../platform/config/config.ts'
import { problem } from '../platform/http/problem.ts'
import { createIsInNetworks } from '../platform/network-list.ts'

/**
 * Refuse requests that a page of another origin can make a browser send, also to a service in the reader's own network
 * by a name that was made to point there (DNS rebinding): with another `Origin`, or a `Host` that is another name.
 * Programs send no `Origin`. A trusted proxy may have written another `Host`.
 */
export function createRequireOwnHost({ baseUrl, trustProxy }: Pick<Config, 'baseUrl' | 'trustProxy'>) {
  const ownName = new URL(baseUrl).hostname
  const isTrusted = createIsInNetworks(trustProxy)
  return ({ headers, socket }: FastifyRequest) => {
    if (headers.origin !== undefined && headers.origin !== baseUrl) throw problem('cross_origin')
    if (headers.host === undefined || isTrusted(socket.remoteAddress ?? '')) return
    const name = nameIn(headers.host)
    const isOwn = name === ownName || name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
    if (!isOwn) throw problem('cross_origin', { detail: `This service is at ${baseUrl}, not at the name in Host.` })
  }
}

/** The name or address in a Host header, in lower case, without the port. */
const nameIn = (host: string): string => host.toLowerCase().replace(/:\d*$/, '')
