import { maxPathParameterLength } from '@parley/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from './problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The route with the address of a request whose method the route does not take; otherwise undefined. */
    refusedRoute: string | undefined
  }
}

/** Return the route of a request's address, also where the route does not take the method. */
export const routeOf = ({ routeOptions, refusedRoute }: FastifyRequest): string | undefined =>
  routeOptions.url ?? refusedRoute

/** All methods but HEAD, which Fastify adds to each GET. */
const knownMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const allMethods = [...knownMethods, 'HEAD']

type Address = {
  url: string
  segments: readonly Segment[]
  methods: Set<string>
  /** Of two addresses that a request has, the one with the greater rank is meant, as in Fastify's router. */
  rank: string
}

/** Part of an address between two slashes; `end` follows the parameter, as in `:secret.ics`. */
type Segment = { start: string; isParameter: boolean; end: string }

/**
 * Answer 405 to every other method of the addresses that are registered from now on, with the methods that they take
 * (RFC 9110, 15.5.6). The address is looked up when a request has reached no route: a route for each refusal would
 * make the routes five times as many, and the start of an instance half as long again.
 * @returns a function to call after the last registration
 */
export function createRefuseOtherMethods(http: FastifyInstance): () => void {
  const addresses = new Map<string, Address>()
  let isComplete = false
  http.addHook('onRoute', ({ url, method }) => {
    if (isComplete) return
    const address = addresses.get(url) ?? readAddress(url)
    addresses.set(url, address)
    for (const one of [method].flat()) address.methods.add(one)
  })
  const findRefusing = ({ is404, method, url }: FastifyRequest): Address | undefined => {
    if (!is404 || !allMethods.includes(method)) return undefined
    const parts = partsOf(url)
    const [address] = [...addresses.values()]
      .filter((one) => isTakenBy(one, parts))
      .sort((one, other) => (one.rank < other.rank ? 1 : -1))
    return address?.methods.has(method) ? undefined : address
  }
  http.decorateRequest('refusedRoute', {
    getter() {
      return findRefusing(this)?.url
    },
  })
  http.addHook('preHandler', (request, _reply, next) => {
    const address = findRefusing(request)
    if (address === undefined) next()
    else next(methodNotAllowed(address))
  })
  return () => {
    // Plugins register their routes when they are loaded, in the order of their registration: this plugin is the last.
    http.register(async (last) => {
      isComplete = true
      const all = [...addresses.values()]
      for (const address of all) {
        // The router takes `PUT /passkeys/options` for `PUT /passkeys/:passkeyId`, unless a route refuses it.
        const { url, rank, methods } = address
        const parts = url.split('/')
        const wider = all.filter((other) => other.rank < rank && isTakenBy(other, parts))
        const method = knownMethods.filter((name) => !methods.has(name) && wider.some((one) => one.methods.has(name)))
        if (method.length === 0) continue
        const handler = async () => {
          throw methodNotAllowed(address)
        }
        // Fastify adds HEAD to the methods of the address.
        last.route({ method, url, exposeHeadRoute: !methods.has('HEAD'), handler })
      }
    })
  }
}

const methodNotAllowed = ({ methods }: Address) =>
  problem('method_not_allowed', { headers: { allow: allMethods.filter((method) => methods.has(method)).join(', ') } })

function readAddress(url: string): Address {
  const segments = url.split('/').map(readSegment)
  const rank = segments.map(({ isParameter, end }) => (isParameter ? (end === '' ? 0 : 1) : 2)).join('')
  return { url, segments, methods: new Set(), rank }
}

function readSegment(text: string): Segment {
  const [, start = text, parameter = '', end = ''] = /^([^:*]*)(:\w+|\*)(.*)$/s.exec(text) ?? []
  return { start, isParameter: parameter !== '', end }
}

/** Split the path of a URL; the router has already refused those that cannot be decoded. */
function partsOf(url: string): string[] {
  const [path = ''] = url.split(/[?#]/, 1)
  return path.split('/').map(decodeURIComponent)
}

const isTakenBy = ({ url, segments }: Address, parts: readonly string[]): boolean =>
  (url.endsWith('*') ? parts.length >= segments.length : parts.length === segments.length) &&
  segments.every((segment, index) => isTaken(segment, parts[index] ?? ''))

function isTaken({ start, isParameter, end }: Segment, text: string): boolean {
  if (!isParameter) return text === start
  const length = text.length - start.length - end.length
  return length >= 0 && length <= maxPathParameterLength && text.startsWith(start) && text.endsWith(end)
}
