import { finished, type Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import { writePosition } from '../platform/database/cursor.ts'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import type { Topic, TopicSubscriptions } from '../platform/database/topics.ts'
import { problem, tooManyRequests } from '../platform/http/problem.ts'
import { stopRecording } from '../platform/operation.ts'
import type { Random } from '../platform/random.ts'
import { createEventSource, type EventSource, type StreamUpdate } from './event-source.ts'

/**
 * The interval of a stream's own checks, which find changes whose notification was lost. A check each three seconds
 * cost 1,000 idle streams 0.44 of a core. Random, so that streams that were opened together do not check together.
 */
const minCheckMs = 15_000
const maxCheckMs = 30_000
/**
 * Interval of heartbeats, which keep proxies from closing the connection; clients treat ten seconds of silence as its
 * end.
 */
export const heartbeatMs = 5_000
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

/** After this time without reading, a client has gone or cannot keep up. The client opens the stream again. */
export const maxStalledMs = 30_000

/** How many streams may be open at this instance, by what they are counted for. */
export const maxStreams = {
  /** A few windows on a few devices. */
  account: 32,
  /** All participants of a full meeting behind one address. */
  network: 1_200,
  /**
   * Streams of programs that follow the log for an account, or of one app for one of its users: a few on a few
   * machines.
   */
  followersOfAccount: 10,
  /** An app that follows the log for more users is better off with a webhook (docs/webhooks.md). */
  followersOfApp: 1_000,
  /** All apps on one server, without letting many accounts of one person take all places. */
  followersOfNetwork: 1_200,
  /** Programs leave half of the places to people who wait for a meeting or are in one. */
  followers: 5_000,
  /** Browsers of one person; all windows of a browser share one stream. */
  pagesOfAccount: 16,
  /** Pages that follow changes: a page without a stream is only less fresh, so people in meetings keep their places. */
  pages: 3_000,
} as const

/** Each costs some memory and regular checks. */
const maxStreamsInAll = 10_000

/** What a stream is counted for. */
export type StreamOwner = { kind: keyof typeof maxStreams; id: string }

/** What a stream shows, and the topics that report a change of it. */
export type StreamState<Snapshot> = {
  topics: readonly Topic[]
  snapshot: Snapshot
  /** When the snapshot changes with time alone; undefined where only published changes alter it. */
  changesAt?: Date | undefined
}

/** What a log has after a position, and the topics that report an addition to it. */
export type LogPage<Entry> = {
  topics: readonly Topic[]
  entries: readonly { position: number; type: string; data: Entry }[]
  /** Everything up to it was read: that of the last entry, or later where the page is the last one. */
  position: number
  moreAvailable: boolean
  changesAt?: Date | undefined
}

/** Read the state of a stream. `again` is true after the first read; `closed` aborts when the stream ends. */
type ReadStreamState<Snapshot> = (again: boolean, closed: AbortSignal) => Promise<StreamState<Snapshot>>

/** Read on after a position; undefined at first. */
type ReadLogPage<Entry> = (position: number | undefined, closed: AbortSignal) => Promise<LogPage<Entry>>

export type Streams = {
  /**
   * Reply with server-sent events: a snapshot now, and a new one whenever it changes. `readState` is called again for
   * each check, and authorizes each time: any problem that it throws ends the stream.
   * @throws too_many_requests, unavailable while the service stops, and what the first `readState` throws
   */
  open<Snapshot>(
    reply: FastifyReply,
    owners: readonly StreamOwner[],
    readState: ReadStreamState<Snapshot>,
    write: (snapshot: Snapshot) => string,
  ): Promise<Readable>
  /**
   * Reply with server-sent events: the entries of a log after a position, and further ones as they are added. Each has
   * its cursor as `id`. `readPage` authorizes each time, as `readState` does.
   * @throws as `open`
   */
  follow<Entry>(
    reply: FastifyReply,
    owners: readonly StreamOwner[],
    readPage: ReadLogPage<Entry>,
    write: (entry: Entry) => string,
  ): Promise<Readable>
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

  function reserveSlots(owners: readonly StreamOwner[]): AbortController {
    if (isEnding) throw problem('unavailable', { retryAfterSeconds: 1 })
    const countOf = (owner: string) => countByOwner.get(owner) ?? 0
    const isFull = owners.some((owner) => countOf(keyOf(owner)) >= maxStreams[owner.kind])
    if (isFull || open.size >= maxStreamsInAll) throw tooManyRequests(retryMs)
    const ending = new AbortController()
    open.add(ending)
    for (const owner of owners.map(keyOf)) countByOwner.set(owner, countOf(owner) + 1)
    ending.signal.addEventListener('abort', () => {
      open.delete(ending)
      for (const owner of owners.map(keyOf)) {
        const left = countOf(owner) - 1
        if (left > 0) countByOwner.set(owner, left)
        else countByOwner.delete(owner)
      }
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

  /** @param read is called with `again` after the first time */
  async function openSource(
    reply: FastifyReply,
    owners: readonly StreamOwner[],
    read: (again: boolean, closed: AbortSignal) => Promise<StreamUpdate>,
  ): Promise<Readable> {
    const ending = reserveSlots(owners)
    const { signal } = ending
    try {
      finished(reply.raw, () => ending.abort())
      const first = await read(false, signal)
      reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
        // A kept-alive connection would delay the shutdown.
        connection: 'close',
      })
      stopRecording()
      const source = createEventSource({
        first,
        read: () => read(true, signal),
        topicSubscriptions,
        ending,
        log,
        databaseFailures,
        ticksUntilCheck,
        ticksUntilHeartbeat: heartbeatMs / tickMs,
        ticksUntilRecheck,
        ticksUntilRetry: () => retryDatabaseMs / tickMs + ticksUntilRecheck(),
        ticksUntilStalled: maxStalledMs / tickMs,
        disconnect: () => reply.raw.destroy(),
        retryMs,
      })
      if (!signal.aborted) tickWith(source)
      signal.addEventListener('abort', () => stopTicking(source))
      return source.stream
    } catch (error) {
      ending.abort()
      throw error
    }
  }

  return {
    open(reply, owners, readState, write) {
      let sent = ''
      return openSource(reply, owners, async (again, closed) => {
        const { snapshot, ...update } = await readState(again, closed)
        const text = write(snapshot)
        if (text === sent) return { ...update, text: '' }
        sent = text
        return { ...update, text: `data: ${text}\n\n` }
      })
    },
    follow(reply, owners, readPage, write) {
      let position: number | undefined
      return openSource(reply, owners, async (again, closed) => {
        const { entries, position: read, moreAvailable, ...update } = await readPage(position, closed)
        const events = entries.map(
          (entry) => `id: ${writePosition(entry.position)}\nevent: ${entry.type}\ndata: ${write(entry.data)}\n\n`,
        )
        // An id without data advances the cursor of a client that has no new events, so that the cursor does not
        // expire.
        if (events.length === 0 && read !== position) events.push(`id: ${writePosition(read)}\n\n`)
        position = read
        // What was added between the first read and the subscription to its topics was not reported.
        return { ...update, text: events.join(''), moreAvailable: moreAvailable || !again }
      })
    },
    count: () => open.size,
    end() {
      isEnding = true
      for (const ending of [...open]) ending.abort()
    },
  }
}

const keyOf = ({ kind, id }: StreamOwner) => `${kind} ${id}`
