import type { Cost } from '@parley/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createFairLimit, type FairLimit, type GroupPath, type RequesterLimits } from '../platform/fair-limit.ts'
import { addressOf } from '../platform/http/http.ts'
import { overloadOf } from '../platform/http/overload.ts'
import type { Caller } from './caller.ts'
import { networkOf, siteOf } from './network.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route limits its requests by what they cost; the others are limited by their network. */
    limitsRequests?: true
  }
}

/** The configuration of routes that limit their own requests. */
export const limitsRequests = { config: { limitsRequests: true } } as const

/**
 * Small and large requests have limits of their own, so that large requests leave places for small ones. Each limit is
 * on what is in progress and on what waits: the sixteen connections to the database serve both.
 */
const limitsBySize = {
  /** Each takes milliseconds; this many keep two cores and the connections busy. */
  small: { maxInProgress: 64, maxWaiting: 2_000 },
  /** Each takes tens or hundreds of milliseconds of the only thread, and up to two connections. */
  large: { maxInProgress: 4, maxWaiting: 200 },
} as const

type RequestSize = keyof typeof limitsBySize

const costs: Record<Exclude<Cost, 'none'>, { size: RequestSize; ofRequester: number; ofAll: number }> = {
  light: { size: 'small', ofRequester: 1, ofAll: 1 },
  query: { size: 'small', ofRequester: 4, ofAll: 4 },
  heavy: { size: 'large', ofRequester: 1, ofAll: 1 },
  compose: { size: 'large', ofRequester: 2, ofAll: 1 },
  // These requests wait for work that has a fair limit of its own: they must not occupy a place here meanwhile.
  elsewhere: { size: 'small', ofRequester: 1, ofAll: 0 },
}

/** The requests of one requester that may be in progress and may wait, by the size of the requests. */
export const requesterLimits = {
  /**
   * A page sends about ten requests at once and an assistant fewer; each runs or waits for a fraction of a second. An
   * account with sixty connections keeps about this many waiting.
   */
  account: { small: { inProgress: 16, waiting: 48 }, large: { inProgress: 2, waiting: 32 } },
  /** An app's server asks for the tokens of all of its users. */
  client: { small: { inProgress: 32, waiting: 1_200 }, large: { inProgress: 2, waiting: 32 } },
  /** All people without a session behind one address, such as the guests of a full meeting (`maxStreams.network`). */
  network: { small: { inProgress: 32, waiting: 1_200 }, large: { inProgress: 4, waiting: 64 } },
} as const satisfies Record<string, Record<RequestSize, RequesterLimits>>

type Requester = { kind: keyof typeof requesterLimits; path: GroupPath }

/** An account's credentials take turns: no app can hold up the person, or another app. */
export const requesterOfCaller = (caller: Caller): Requester => ({
  kind: 'account',
  path: [`account ${caller.accountId}`, credentialOf(caller)],
})

function credentialOf({ credential }: Caller): string {
  switch (credential.kind) {
    case 'session':
      return 'sessions'
    case 'personal':
      return `token ${credential.tokenId}`
    case 'oauth':
      return `grant ${credential.grantId}`
  }
}

export const requesterOfClient = (appId: string): Requester => ({ kind: 'client', path: [`client ${appId}`] })

/** The networks of a site take turns (network.ts). */
export function requesterOfNetwork(request: FastifyRequest): Requester {
  const address = addressOf(request)
  return { kind: 'network', path: [`site ${siteOf(address)}`, networkOf(address)] }
}

/**
 * Answer a request when it is its requester's turn. Only computing the reply counts, not sending it.
 * @throws too_many_requests when as many requests of the requester wait as may; unavailable
 */
export type RunInTurn = <Result>(
  request: FastifyRequest,
  requester: Requester,
  cost: Cost,
  work: () => Promise<Result>,
) => Promise<Result>

/**
 * Create the limit on requests in progress of every requester, in this process: its thread and its connections to the
 * database are what they share. Routes that do not limit their requests themselves, such as pages, are limited here by
 * network.
 */
export function createRequestLimits({ http, rateLimits }: { http: FastifyInstance; rateLimits: boolean }): RunInTurn {
  if (!rateLimits) return (_request, _requester, _cost, work) => work()
  const overload = overloadOf(http)
  const limits: Record<RequestSize, FairLimit> = {
    small: createFairLimit(limitsBySize.small),
    large: createFairLimit(limitsBySize.large),
  }

  async function takePlace(request: FastifyRequest, { kind, path }: Requester, cost: Exclude<Cost, 'none'>) {
    const { size, ...costOfTask } = costs[cost]
    // A waiting request holds no place of the overload limit, which would refuse others instead.
    const onWait = () => overload.release(request)
    const task = { paths: [path] as const, cost: costOfTask, limits: requesterLimits[kind][size], onWait }
    const release = await limits[size].take(task)
    overload.resume(request)
    return release
  }

  const placeOf = new WeakMap<FastifyRequest, () => void>()
  const leave = (request: FastifyRequest) => {
    placeOf.get(request)?.()
    placeOf.delete(request)
  }
  // Pages wait for the hashing of passwords and for other servers: `elsewhere`.
  http.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.limitsRequests) return
    placeOf.set(request, await takePlace(request, requesterOfNetwork(request), 'elsewhere'))
    if (reply.raw.destroyed) leave(request)
    else reply.raw.once('close', () => leave(request))
  })
  http.addHook('onSend', (request, _reply, payload, next) => {
    leave(request)
    next(null, payload)
  })

  return async (request, requester, cost, work) => {
    if (cost === 'none') return work()
    const release = await takePlace(request, requester, cost)
    try {
      return await work()
    } finally {
      release()
    }
  }
}
