import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { operations } from '../operation.ts'
import { problem } from './problem.ts'

/**
 * So many requests are worked on at a time. One core answers some 2,500 small ones a second: the last of these waits for a
 * fifth of a second. More would wait for longer than their callers do, and hold memory meanwhile.
 */
export const maxInFlight = 500
/** In seconds, for who is refused. */
const retryAfter = '1'
/** Refusals are told in one line of the log for each such time. */
const logEveryMs = 1_000

/** Supervisors and proxies ask these to decide what to do about an instance that is busy. */
const alwaysAnswered = new Set(['/healthz', '/healthz/database', '/readyz', '/version'])

export type Overload = {
  /** How many requests are worked on now. */
  inFlight(): number
  /** Whether this request was refused for overload. */
  refused(request: FastifyRequest): boolean
}

/**
 * Refuse requests at once (503 with Retry-After) while `limit` others are worked on. A request counts from the moment at
 * which its body has arrived until its answer is ready to be sent, so that slow senders, slow readers and streams hold no
 * place.
 */
export function refuseOverload(http: FastifyInstance, log: Logger, limit: number = maxInFlight): Overload {
  const counted = new WeakSet<FastifyRequest>()
  const refused = new WeakSet<FastifyRequest>()
  let inFlight = 0
  let refusals = 0
  let isTold = true

  function noteRefusal(request: FastifyRequest) {
    refused.add(request)
    refusals += 1
    if (!isTold) return
    isTold = false
    const tell = () => {
      log.warn({ refusals, inFlight }, 'overload: requests were refused')
      refusals = 0
      isTold = true
    }
    // It tells of many requests, not of this one.
    operations.exit(() => setTimeout(tell, logEveryMs).unref())
  }

  function release(request: FastifyRequest) {
    if (counted.delete(request)) inFlight -= 1
  }

  http.addHook('preValidation', (request, reply, next) => {
    if (alwaysAnswered.has(request.routeOptions.url ?? '')) return next()
    if (inFlight >= limit) {
      noteRefusal(request)
      return next(problem('unavailable', { headers: { 'retry-after': retryAfter } }))
    }
    counted.add(request)
    inFlight += 1
    // To a client that has gone nothing is sent.
    reply.raw.once('close', () => release(request))
    next()
  })
  http.addHook('onSend', (request, _reply, payload, next) => {
    release(request)
    next(null, payload)
  })
  const overload = { inFlight: () => inFlight, refused: (request: FastifyRequest) => refused.has(request) }
  http.decorate(decorated, overload)
  return overload
}

const decorated = Symbol('overload')

/** For metrics. */
export const overloadOf = (http: FastifyInstance): Overload => http.getDecorator(decorated)
