import { finished, type Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import type { TopicSubscriptions } from '../platform/database/topic-subscriptions.ts'
import { problem, tooManyRequests } from '../platform/http/problem.ts'
import { stopRecording } from '../platform/operation.ts'
import type { Random } from '../platform/random.ts'
import { createEventSource, type EventSource, type Look } from './event-source.ts'

/**
 * A stream checks its state by itself this seldom: a lost announcement, or a right that was taken away without one,
 * shows after this long. Random, so that streams that were opened together do not check together.
 */
const minCheckMs = 15_000
const maxCheckMs = 30_000
/** Proxies keep a connection on which something is sent, and clients take ten seconds of silence for its end. */
const heartbeatMs = 5_000
/** Streams whose check is due within this time check together, and share their statements (platform/together.ts). */
const tickMs = 250
/** Of the streams that look again because announcements were missed, so many in each tick. */
const maxPerTick = 40
/** A database that is away is asked again after this. */
const retryDatabaseMs = 3_000
/** A browser that lost its stream asks again this soon, well before it has waited no longer. */
const retryMs = 1_000

const maxStreams = {
  /** A few windows on a few devices. */
  ofAccount: 32,
  /** Everybody in a full meeting, behind one address. */
  ofNetwork: 1_200,
  /** Each costs some memory and a check now and again. */
  inAll: 10_000,
} as const

export type StreamOwner = { kind: 'account' | 'network'; id: string }

/** `again`: the stream is open already, and looks again. `closed` aborts when it ends. */
export type LookOfStream<Snapshot> = (again: boolean, closed: AbortSignal) => Promise<Look<Snapshot>>

export type Streams = {
  /**
   * Answers server-sent events: a snapshot at once, and again whenever it is another one. `look` is asked again and
   * again, and says each time whether it is still theirs to see: any problem it throws ends the stream.
   * @throws too_many_requests, unavailable when the service stops, and what the first look throws
   */
  open<Snapshot>(reply: FastifyReply, owner: StreamOwner, look: LookOfStream<Snapshot>): Promise<Readable>
  /** How many are open. */
  count(): number
  /** Ends all that are open at once and takes no more: their readers connect to another instance. */
  end(): void
}

export type StreamsOptions = {
  topicSubscriptions: TopicSubscriptions
  clock: Clock
  random: Random
  log: Logger
  databaseFailures: DatabaseFailureLog
  /** In place of the usual times between two checks. */
  lookEveryMs?: number
}

export function createStreams(options: StreamsOptions): Streams {
  const { topicSubscriptions, clock, random, log, databaseFailures, lookEveryMs } = options
  const open = new Set<AbortController>()
  const ticking = new Set<EventSource>()
  const countByOwner = new Map<string, number>()
  let ticker: NodeJS.Timeout | undefined
  let isEnding = false

  function takePlace({ kind, id }: StreamOwner): AbortController {
    if (isEnding) throw problem('unavailable', { headers: { 'retry-after': '1' } })
    const owner = `${kind} ${id}`
    const count = countByOwner.get(owner) ?? 0
    const most = kind === 'account' ? maxStreams.ofAccount : maxStreams.ofNetwork
    if (count >= most || open.size >= maxStreams.inAll) throw tooManyRequests(retryMs)
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

  /** One timer for all streams: two for each would cost more than what they do. */
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

  /** In ticks; never later than the moment at which the snapshot changes by itself. */
  function ticksUntilCheck(changesAt: Date | undefined): number {
    const defaultMs = lookEveryMs ?? minCheckMs + random.below(maxCheckMs - minCheckMs)
    const dueMs = changesAt === undefined ? defaultMs : Math.min(defaultMs, changesAt.getTime() - clock.now().getTime())
    return Math.max(1, Math.ceil(dueMs / tickMs))
  }

  /** A few streams look at once, many one after the other. */
  const ticksUntilRecheck = () =>
    1 + random.below(Math.min(Math.ceil((open.size || 1) / maxPerTick), minCheckMs / tickMs))

  return {
    async open(reply, owner, look) {
      const ending = takePlace(owner)
      const { signal } = ending
      try {
        finished(reply.raw, () => ending.abort())
        const first = await look(false, signal)
        reply.headers({
          'content-type': 'text/event-stream; charset=utf-8',
          'x-accel-buffering': 'no',
          // One that was kept for later would hold up a service that stops.
          connection: 'close',
        })
        stopRecording()
        const source = createEventSource({
          first,
          look: () => look(true, signal),
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
