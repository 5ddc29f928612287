import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import type { Topic } from '../platform/database/publish.ts'
import type { TopicSubscriptions } from '../platform/database/topic-subscriptions.ts'
import { ProblemError } from '../platform/http/problem.ts'

/** What is announced within this time is one look: people who are let in all at once, or who come at the full hour. */
const gatherMs = 50

/** How things stand, and what is announced when that changes. */
export type Look<Snapshot> = {
  topics: readonly Topic[]
  snapshot: Snapshot
  /** When the snapshot changes by itself, with the time of day; absent where only an announced change alters it. */
  changesAt?: Date | undefined
}

export type EventSourceOptions<Snapshot> = {
  first: Look<Snapshot>
  look: () => Promise<Look<Snapshot>>
  write: (snapshot: Snapshot) => string
  topicSubscriptions: TopicSubscriptions
  /** Ends the stream, from either side. */
  ending: AbortController
  log: Logger
  databaseFailures: DatabaseFailureLog
  ticksUntilCheck: (changesAt: Date | undefined) => number
  ticksUntilHeartbeat: number
  /** After announcements may have been missed: at random, so that not all streams look at once. */
  ticksUntilRecheck: () => number
  /** After the database was away. */
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
  const { first, look, write, topicSubscriptions, ending, log, databaseFailures } = options
  const { signal } = ending
  let sent = ''
  let isDrained = true
  let isLooking = false
  let isNews = false
  let ticksToCheck = options.ticksUntilCheck(first.changesAt)
  let ticksToHeartbeat = options.ticksUntilHeartbeat

  const stream = new Readable({
    read() {
      isDrained = true
      if (isNews) lookSoon()
    },
    destroy(error, done) {
      ending.abort()
      done(error)
    },
  })
  const unsubscribe = topicSubscriptions.subscribe(first.topics, {
    published: lookSoon,
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

  function sendSnapshot({ snapshot }: Look<Snapshot>) {
    const text = write(snapshot)
    if (text === sent) return
    sent = text
    send(`data: ${text}\n\n`)
  }

  function lookSoon() {
    isNews = true
    // A reader that is slow is told what holds when it reads on.
    if (isLooking || !isDrained || signal.aborted) return
    isLooking = true
    setTimeout(() => void lookAgain(), gatherMs)
  }

  // The timer that wakes it may be another stream's.
  const lookAgain = AsyncLocalStorage.bind(async () => {
    isLooking = true
    isNews = false
    try {
      const latest = signal.aborted ? undefined : await look()
      if (latest === undefined || signal.aborted) return
      sendSnapshot(latest)
      ticksToCheck = options.ticksUntilCheck(latest.changesAt)
    } catch (error) {
      // A database that is away comes back.
      if (databaseFailures.report(error)) ticksToCheck = options.ticksUntilRetry()
      else {
        // What was theirs to see is not any more.
        if (!(error instanceof ProblemError)) log.error({ err: error }, 'a stream was ended')
        ending.abort()
      }
    } finally {
      isLooking = false
      if (isNews) lookSoon()
    }
  })

  send(`retry: ${options.retryMs}\n`)
  sendSnapshot(first)
  if (signal.aborted) end()
  else signal.addEventListener('abort', end)
  return {
    stream,
    tick() {
      if (isLooking || !isDrained) return
      if (--ticksToCheck <= 0) return void lookAgain()
      if (--ticksToHeartbeat <= 0) send(':\n\n')
    },
  }
}
