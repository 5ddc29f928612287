import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { operations } from '../operation.ts'
import { routeOf } from './other-methods.ts'
import { problem } from './problem.ts'

/**
 * Concurrent requests while the event loop is on time. One core answers about 2,500 small requests a second: the last
 * of these waits a fifth of a second. With more, callers would give up before the answer, and their requests would hold
 * memory meanwhile.
 */
export const maxInFlight = 500
/**
 * The limit never falls below this. With 50, a machine short of processor time spent it on refusals, and answered a
 * seventh of its capacity.
 */
export const minInFlight = 150

/** The interval of checks of the event loop. */
const checkEveryMs = 100
/** Beyond this, requests and refusals wait for the event loop rather than for the database. */
export const maxLagMs = 100
/** Back at the maximum within a second. */
const step = 50

/**
 * Return the next limit: half of it after the event loop was late, a few more while it is on time. A slow machine then
 * accepts less and rejects earlier.
 * @param lagMs how much later than due the event loop came to its timers
 */
export function adaptLimit(limit: number, lagMs: number, max: number): number {
  const min = Math.min(minInFlight, max)
  return lagMs > maxLagMs ? Math.max(min, Math.floor(limit / 2)) : Math.min(max, limit + step)
}

/** Adapt the limit to the event loop until the watch is stopped. */
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

/** Retry-After of refused requests, in seconds. */
const retryAfterSeconds = 1
/** Log refusals at most once in this interval. */
const logEveryMs = 1_000

/** Supervisors and proxies decide by these what to do about a busy instance. */
const alwaysAnswered = new Set(['/healthz', '/healthz/database', '/readyz', '/version'])

type Overload = {
  /** The number of concurrent requests. */
  inFlight(): number
  /** The limit of concurrent requests, lower while the event loop is late. */
  limit(): number
  /** Whether this request was refused for overload. */
  refused(request: FastifyRequest): boolean
  /** Stop counting a request that waits for its turn. */
  release(request: FastifyRequest): void
  /** Count the request again. */
  resume(request: FastifyRequest): void
}

/**
 * Refuse requests at once (503 with Retry-After) beyond the limit of concurrent ones: `max`, or fewer while the event
 * loop is late. A request counts from the time when its body has arrived until its response is ready, so that slow
 * senders, slow readers and streams hold no place. Beyond the limit, a request is refused both before its body is read
 * and when it has arrived.
 */
export function refuseOverload(http: FastifyInstance, log: Logger, max: number = maxInFlight): Overload {
  const { limit, stop } = watchEventLoop(max)
  http.addHook('onClose', (_http, done) => {
    stop()
    done()
  })
  const counted = new WeakSet<FastifyRequest>()
  /** Requests that wait for their turn, and are counted when they continue. */
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
    // Not logged in this request's context: the line is about all of them.
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

  const isAlwaysAnswered = (request: FastifyRequest) => alwaysAnswered.has(routeOf(request) ?? '')

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
    // No `onSend` runs for a client that has disconnected.
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
