import type { FastifyInstance } from 'fastify'
import { problem } from './problem.ts'

/** All methods but HEAD, which Fastify adds to each GET. */
const knownMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Collect the methods of all routes from now on. The returned function, called after the last of them, has every other
 * method of their paths answered with 405 and the supported ones (RFC 9110, 15.5.6).
 */
export function createRefuseOtherMethods(http: FastifyInstance): () => void {
  const supported = new Map<string, Set<string>>()
  http.addHook('onRoute', ({ url, method }) => {
    supported.set(url, (supported.get(url) ?? new Set()).union(new Set([method].flat())))
  })
  return () => {
    // Plugins register their routes when they are loaded, in the order of their registration: this one is the last.
    http.register(async (last) => {
      for (const [url, methods] of [...supported]) {
        const allow = [...knownMethods, 'HEAD'].filter((method) => methods.has(method)).join(', ')
        last.route({
          method: knownMethods.filter((method) => !methods.has(method)),
          url,
          handler: async () => {
            throw problem('method_not_allowed', { headers: { allow } })
          },
        })
      }
    })
  }
}
