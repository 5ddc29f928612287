import type { IncomingMessage } from 'node:http'
import { createIsInNetworks } from '../network-list.ts'

/**
 * Find the client's address behind trusted proxies, for requests that bypass Fastify (upgrades): the last address in
 * `X-Forwarded-For` that is not a trusted proxy, like Fastify's `request.ip` with the same `trustProxy`.
 */
export function createClientAddress(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = createIsInNetworks(trustProxy)
  return ({ socket, headers }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '')
    const hops = [
      socket.remoteAddress ?? '',
      ...forwarded
        .split(',')
        .map((hop) => hop.trim())
        .filter(Boolean)
        .reverse(),
    ]
    return hops.find((hop) => !isTrusted(hop)) ?? hops.at(-1) ?? ''
  }
}
