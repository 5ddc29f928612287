import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import type { Topic } from '../platform/database/publish.ts'
import type { TopicSubscriptions } from '../platform/database/topic-subscriptions.ts'
import { ProblemError } from '../platform/http/problem.ts'

/** Combine changes that are published within this time, such as many people entering at the full hour. */
const batchMs = 50

/** What a stream shows, and the topics that report a change of it. */
export type StreamState<Snapshot> = {
  topics: readonly Topic[]
  snapshot: Snapshot
  /** When the snapshot changes with time alone; undefined where only published changes alter it. */
  changesAt?: Date | undefined
}

type EventSourceOptions<Snapshot> = {
  first: StreamState<Snapshot>
  readState: () => Promise<StreamState<Snapshot>>
  write: (snapshot: Snapshot) => string
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
  retryMs: number
}

export type EventSource = {
  stream: Readable
  /** A tick of the timer that all streams share. */
  tick(): void
}

/** One stream of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function createEventSource<Snapshot>(options: EventSourceOptions<Snapshot>): EventSource {
  const { first, readState, write, topicSubscriptions, ending, log, databaseFailures } = options
  const { signal } = ending
  let sent = ''
  let isDrained = true
  let isReading = false
  let hasChanged = false
  let ticksToCheck = options.ticksUntilCheck(first.changesAt)
  let ticksToHeartbeat = options.ticksUntilHeartbeat

  const stream = new Readable({
    read() {
      isDrained = true
      if (hasChanged) scheduleRead()
    },
    destroy(error, done) {
      ending.abort()
      done(error)
    },
  })
  const unsubscribe = topicSubscriptions.subscribe(first.topics, {
    published: scheduleRead,
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
    if (!signal.aborted) isDrained = stream.push(text)
  }

  function sendSnapshot({ snapshot }: StreamState<Snapshot>) {
    const text = write(snapshot)
    if (text === sent) return
    sent = text
    send(`data: ${text}\n\n`)
  }

  function scheduleRead() {
    hasChanged = true
    // A slow reader gets the latest snapshot when it reads on.
    if (isReading || !isDrained || signal.aborted) return
    isReading = true
    setTimeout(() => void readAgain(), batchMs)
  }

  // The shared timer may have been started in another request's async context.
  const readAgain = AsyncLocalStorage.bind(async () => {
    isReading = true
    hasChanged = false
    try {
      const latest = signal.aborted ? undefined : await readState()
      if (latest === undefined || signal.aborted) return
      sendSnapshot(latest)
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
      if (hasChanged) scheduleRead()
    }
  })

  send(`retry: ${options.retryMs}\n`)
  sendSnapshot(first)
  if (signal.aborted) end()
  else signal.addEventListener('abort', end)
  return {
    stream,
    tick() {
      if (isReading || !isDrained) return
      if (--ticksToCheck <= 0) return void readAgain()
      if (--ticksToHeartbeat <= 0) send(':\n\n')
    },
  }
}
