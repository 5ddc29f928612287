import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import type { Topic, TopicSubscriptions } from '../platform/database/topics.ts'
import { ProblemError } from '../platform/http/problem.ts'

/** Combine changes that are published within this time, such as many people entering at the full hour. */
const batchMs = 50

/** The data to send next on a stream, and when to read again. */
export type StreamUpdate = {
  /** The topics that report a change of the data read. */
  topics: readonly Topic[]
  /** The events to send; empty where there is nothing new. */
  text: string
  /** There is more to read at once. */
  moreAvailable?: boolean
  /** When it changes with time alone; undefined where only published changes alter it. */
  changesAt?: Date | undefined
}

type EventSourceOptions = {
  first: StreamUpdate
  read: () => Promise<StreamUpdate>
  topicSubscriptions: TopicSubscriptions
  /** Aborted when the stream ends, from either side. */
  ending: AbortController
  log: Logger
  databaseFailures: DatabaseFailureLog
  ticksUntilCheck: (changesAt: Date | undefined) => number
  ticksUntilHeartbeat: number
  /** After missed notifications: random, so that streams do not all read at once. */
  ticksUntilRecheck: () => number
  /** After a database failure. */
  ticksUntilRetry: () => number
  /** How long a client may leave sent data unread. */
  ticksUntilStalled: number
  /** Close the connection to a client that takes nothing. */
  disconnect: () => void
  retryMs: number
}

export type EventSource = {
  stream: Readable
  /** A tick of the timer that all streams share. */
  tick(): void
}

/** One stream of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function createEventSource(options: EventSourceOptions): EventSource {
  const { first, read, topicSubscriptions, ending, log, databaseFailures } = options
  const { signal } = ending
  let isDrained = true
  let isReading = false
  let hasChanged = false
  let hasMore = false
  let ticksToCheck = options.ticksUntilCheck(first.changesAt)
  let ticksToHeartbeat = options.ticksUntilHeartbeat
  let ticksToStall = options.ticksUntilStalled

  const stream = new Readable({
    read() {
      isDrained = true
      if (hasChanged || hasMore) scheduleRead()
    },
    destroy(error, done) {
      ending.abort()
      done(error)
    },
  })
  const unsubscribe = topicSubscriptions.subscribe(first.topics, {
    published: changed,
    mayHaveMissed: () => {
      ticksToCheck = Math.min(ticksToCheck, options.ticksUntilRecheck())
    },
  })
  function end() {
    unsubscribe()
    stream.push(null)
  }

  function send(text: string) {
    ticksToHeartbeat = options.ticksUntilHeartbeat
    ticksToStall = options.ticksUntilStalled
    if (!signal.aborted) isDrained = stream.push(text)
  }

  function sendUpdate({ text, moreAvailable = false }: StreamUpdate) {
    if (text !== '') send(text)
    hasMore = moreAvailable
  }

  function changed() {
    hasChanged = true
    scheduleRead()
  }

  function scheduleRead() {
    // For a slow reader, only the unsent data is buffered; more is read when the reader continues.
    if (isReading || !isDrained || signal.aborted) return
    isReading = true
    setTimeout(() => void readAgain(), hasMore ? 0 : batchMs)
  }

  // The shared timer may have been started in another request's async context.
  const readAgain = AsyncLocalStorage.bind(async () => {
    isReading = true
    hasChanged = false
    try {
      const latest = signal.aborted ? undefined : await read()
      if (latest === undefined || signal.aborted) return
      sendUpdate(latest)
      ticksToCheck = options.ticksUntilCheck(latest.changesAt)
    } catch (error) {
      // Keep the stream open: database failures pass.
      if (databaseFailures.report(error)) ticksToCheck = options.ticksUntilRetry()
      else {
        // A problem means that the caller may no longer read this.
        if (!(error instanceof ProblemError)) log.error({ err: error }, 'a stream ended with an error')
        ending.abort()
      }
    } finally {
      isReading = false
      if (hasChanged || hasMore) scheduleRead()
    }
  })

  send(`retry: ${options.retryMs}\n`)
  sendUpdate(first)
  if (signal.aborted) end()
  else signal.addEventListener('abort', end)
  if (hasMore) scheduleRead()
  return {
    stream,
    tick() {
      if (!isDrained) {
        if (--ticksToStall <= 0) options.disconnect()
        return
      }
      if (isReading) return
      if (--ticksToCheck <= 0) return void readAgain()
      if (--ticksToHeartbeat <= 0) send(':\n\n')
    },
  }
}
