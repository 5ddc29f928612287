import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { operations } from '../operation.ts'
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
  /** Count a request no longer, because it waits for its turn. */
  release(request: FastifyRequest): void
  /** Count it again. */
  resume(request: FastifyRequest): void
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
  /** Those that will be counted when they go on. */
  const waiting = new WeakSet<FastifyRequest>()
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

  function resume(request: FastifyRequest) {
    if (!waiting.delete(request)) return
    counted.add(request)
    inFlight += 1
  }

  function release(request: FastifyRequest) {
    if (!counted.delete(request)) return
    waiting.add(request)
    inFlight -= 1
  }

  function end(request: FastifyRequest) {
    release(request)
    waiting.delete(request)
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
    waiting.add(request)
    resume(request)
    // To a client that has gone nothing is sent.
    reply.raw.once('close', () => end(request))
    next()
  })
  http.addHook('onSend', (request, _reply, payload, next) => {
    end(request)
    next(null, payload)
  })
  const overload: Overload = {
    inFlight: () => inFlight,
    limit,
    refused: (request) => refused.has(request),
    release,
    resume,
  }
  http.decorate(decorated, overload)
  return overload
}

const decorated = Symbol('overload')

/** For metrics. */
export const overloadOf = (http: FastifyInstance): Overload => http.getDecorator(decorated)

/**
 * So many requests are worked on at a time while the event loop is on time. One core answers some 2,500 small ones a
 * second: the last of these waits for a fifth of a second. More would wait for longer than their callers do, and hold
 * memory meanwhile.
 */
export const maxInFlight = 500
/**
 * So many in any case. With 50, a machine short of processor time spent it on refusals, and answered a seventh of its
 * capacity.
 */
export const minInFlight = 150

/** How often the event loop is looked at. */
const checkEveryMs = 100
/** Beyond this, requests and refusals wait for the event loop rather than for the database. */
export const maxLagMs = 100
/** Back at the maximum within a second. */
const step = 50

/**
 * How many requests may be worked on next: half as many after the event loop was late, a few more while it is on time.
 * A machine that is slow, or busy with other things, so takes less at a time and tells the others sooner.
 * @param lagMs how much later than due the event loop came to its timers
 */
export function adaptLimit(limit: number, lagMs: number, max: number): number {
  const min = Math.min(minInFlight, max)
  return lagMs > maxLagMs ? Math.max(min, Math.floor(limit / 2)) : Math.min(max, limit + step)
}

/** Adapts the limit to the event loop for as long as the process runs or until it is stopped. */
export function watchEventLoop(max: number) {
  let limit = max
  let dueMs = performance.now() + checkEveryMs
  const timer = setInterval(() => {
    const nowMs = performance.now()
    limit = adaptLimit(limit, nowMs - dueMs, max)
    dueMs = nowMs + checkEveryMs
  }, checkEveryMs).unref()
  return { limit: () => limit, stop: () => clearInterval(timer) }
}
