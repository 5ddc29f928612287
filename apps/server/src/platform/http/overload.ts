import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { operations } from '../operation.ts'
import { maxInFlight, watchEventLoop } from './in-flight-limit.ts'
import { problem } from './problem.ts'

/** In seconds, for who is refused. */
const retryAfterSeconds = 1
/** Refusals are told in one line of the log for each such time. */
const logEveryMs = 1_000

/** Supervisors and proxies ask these to decide what to do about an instance that is busy. */
const alwaysAnswered = new Set(['/healthz', '/healthz/database', '/readyz', '/version'])

type Overload = {
  /** How many requests are worked on now. */
  inFlight(): number
  /** How many may be: fewer while the event loop is late. */
  limit(): number
  /** Whether this request was refused for overload. */
  refused(request: FastifyRequest): boolean
}

/**
 * Refuse requests at once (503 with Retry-After) while as many others are worked on as may be: `max`, or fewer while
 * the event loop is late. A request counts from the moment at which its body has arrived until its answer is ready to
 * be sent, so that slow senders, slow readers and streams hold no place. It is refused before its body is read, too.
 */
export function refuseOverload(http: FastifyInstance, log: Logger, max: number = maxInFlight): Overload {
  const { limit, stop } = watchEventLoop(max)
  http.addHook('onClose', (_http, done) => {
    stop()
    done()
  })
  const counted = new WeakSet<FastifyRequest>()
  const refused = new WeakSet<FastifyRequest>()
  let inFlight = 0
  let refusals = 0
  let isLogged = true

  function logRefusal(request: FastifyRequest) {
    refused.add(request)
    refusals += 1
    if (!isLogged) return
    isLogged = false
    const logRefusals = () => {
      log.warn({ refusals, inFlight, limit: limit() }, 'overload: requests were refused')
      refusals = 0
      isLogged = true
    }
    // It tells of many requests, not of this one.
    operations.exit(() => setTimeout(logRefusals, logEveryMs).unref())
  }

  function release(request: FastifyRequest) {
    if (counted.delete(request)) inFlight -= 1
  }

  const isAlwaysAnswered = (request: FastifyRequest) => alwaysAnswered.has(request.routeOptions.url ?? '')

  function refuseBeyondLimit(request: FastifyRequest) {
    if (inFlight < limit() || isAlwaysAnswered(request)) return undefined
    logRefusal(request)
    return problem('unavailable', { retryAfterSeconds })
  }

  http.addHook('onRequest', (request, _reply, next) => next(refuseBeyondLimit(request)))
  http.addHook('preValidation', (request, reply, next) => {
    const refusal = refuseBeyondLimit(request)
    if (refusal !== undefined) return next(refusal)
    if (isAlwaysAnswered(request)) return next()
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
  const overload = { inFlight: () => inFlight, limit, refused: (request: FastifyRequest) => refused.has(request) }
  http.decorate(decorated, overload)
  return overload
}

const decorated = Symbol('overload')

/** For metrics. */
export const overloadOf = (http: FastifyInstance): Overload => http.getDecorator(decorated)
