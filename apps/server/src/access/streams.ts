import { finished, type Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import type { TopicSubscriptions } from '../platform/database/topic-subscriptions.ts'
import { problem, tooManyRequests } from '../platform/http/problem.ts'
import { stopRecording } from '../platform/operation.ts'
import type { Random } from '../platform/random.ts'
import { createEventSource, type EventSource, type StreamState } from './event-source.ts'

/**
 * The interval of a stream's own checks, which find changes whose notification was lost. Random, so that streams that
 * were opened together do not check together.
 */
const minCheckMs = 15_000
const maxCheckMs = 30_000
/** Keeps proxies from closing the connection; clients treat ten seconds of silence as its end. */
const heartbeatMs = 5_000
/**
 * Streams whose checks are due within this time check together, and share their statements
 * (platform/database/batch.ts).
 */
const tickMs = 250
/** At most this many streams check in one tick after missed notifications. */
const maxPerTick = 40
/** The delay before a check is retried after a database failure. */
const retryDatabaseMs = 3_000
/** The delay after which a browser reconnects (the `retry` field of server-sent events). */
const retryMs = 1_000

const maxStreams = {
  /** A few windows on a few devices. */
  ofAccount: 32,
  /** All participants of a full meeting behind one address. */
  ofNetwork: 1_200,
  /** Each costs some memory and regular checks. */
  inAll: 10_000,
} as const

export type StreamOwner = { kind: 'account' | 'network'; id: string }

/** Read the state of a stream. `again` is true after the first read; `closed` aborts when the stream ends. */
type ReadStreamState<Snapshot> = (again: boolean, closed: AbortSignal) => Promise<StreamState<Snapshot>>

export type Streams = {
  /**
   * Reply with server-sent events: a snapshot now, and a new one whenever it changes. `readState` is called again for
   * each check, and authorizes each time: any problem that it throws ends the stream.
   * @throws too_many_requests, unavailable while the service stops, and what the first `readState` throws
   */
  open<Snapshot>(reply: FastifyReply, owner: StreamOwner, readState: ReadStreamState<Snapshot>): Promise<Readable>
  /** The number of open streams. */
  count(): number
  /** End all open streams and accept no more: the clients reconnect to another instance. */
  end(): void
}

type StreamsOptions = {
  topicSubscriptions: TopicSubscriptions
  clock: Clock
  random: Random
  log: Logger
  databaseFailures: DatabaseFailureLog
  /** Replaces the random interval between two checks, in tests. */
  checkEveryMs?: number
}

export function createStreams(options: StreamsOptions): Streams {
  const { topicSubscriptions, clock, random, log, databaseFailures, checkEveryMs } = options
  const open = new Set<AbortController>()
  const ticking = new Set<EventSource>()
  const countByOwner = new Map<string, number>()
  let ticker: NodeJS.Timeout | undefined
  let isEnding = false

  function reserveSlot({ kind, id }: StreamOwner): AbortController {
    if (isEnding) throw problem('unavailable', { retryAfterSeconds: 1 })
    const owner = `${kind} ${id}`
    const count = countByOwner.get(owner) ?? 0
    const maxOfOwner = kind === 'account' ? maxStreams.ofAccount : maxStreams.ofNetwork
    if (count >= maxOfOwner || open.size >= maxStreams.inAll) throw tooManyRequests(retryMs)
    const ending = new AbortController()
    open.add(ending)
    countByOwner.set(owner, count + 1)
    ending.signal.addEventListener('abort', () => {
      open.delete(ending)
      const left = (countByOwner.get(owner) ?? 0) - 1
      if (left > 0) countByOwner.set(owner, left)
      else countByOwner.delete(owner)
    })
    return ending
  }

  /** One timer for all streams: two per stream would cost more than the checks. */
  function tickWith(source: EventSource) {
    ticking.add(source)
    ticker ??= setInterval(() => {
      for (const each of ticking) each.tick()
    }, tickMs).unref()
  }

  function stopTicking(source: EventSource) {
    ticking.delete(source)
    if (ticking.size > 0) return
    clearInterval(ticker)
    ticker = undefined
  }

  /** Return the number of ticks; never later than the time at which the snapshot changes by itself. */
  function ticksUntilCheck(changesAt: Date | undefined): number {
    const defaultMs = checkEveryMs ?? minCheckMs + random.below(maxCheckMs - minCheckMs)
    const dueMs = changesAt === undefined ? defaultMs : Math.min(defaultMs, changesAt.getTime() - clock.now().getTime())
    return Math.max(1, Math.ceil(dueMs / tickMs))
  }

  /** Spread the checks of many streams over several ticks. */
  const ticksUntilRecheck = () =>
    1 + random.below(Math.min(Math.ceil((open.size || 1) / maxPerTick), minCheckMs / tickMs))

  return {
    async open(reply, owner, readState) {
      const ending = reserveSlot(owner)
      const { signal } = ending
      try {
        finished(reply.raw, () => ending.abort())
        const first = await readState(false, signal)
        reply.headers({
          'content-type': 'text/event-stream; charset=utf-8',
          'x-accel-buffering': 'no',
          // A kept-alive connection would delay the shutdown.
          connection: 'close',
        })
        stopRecording()
        const source = createEventSource({
          first,
          readState: () => readState(true, signal),
          write: (snapshot) => String(reply.serialize(snapshot as object)),
          topicSubscriptions,
          ending,
          log,
          databaseFailures,
          ticksUntilCheck,
          ticksUntilHeartbeat: heartbeatMs / tickMs,
          ticksUntilRecheck,
          ticksUntilRetry: () => retryDatabaseMs / tickMs + ticksUntilRecheck(),
          retryMs,
        })
        if (!signal.aborted) tickWith(source)
        signal.addEventListener('abort', () => stopTicking(source))
        return source.stream
      } catch (error) {
        ending.abort()
        throw error
      }
    },
    count: () => open.size,
    end() {
      isEnding = true
      for (const ending of [...open]) ending.abort()
    },
  }
}
