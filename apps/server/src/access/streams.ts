import { finished, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Topic } from '../platform/announce.ts'
import type { Announcements } from '../platform/announcements.ts'
import { isTimeout, isUnavailable } from '../platform/database.ts'
import { ProblemError, problem, tooManyRequests } from '../platform/problem.ts'

/**
 * A stream looks this often by itself: a lost announcement, an ended session or a right that was taken away shows after
 * this long, and something is sent so that proxies keep the connection and a dead one is noticed.
 */
const usualLookEveryMs = 3_000
/** What is announced within this time is one look: people who are let in all at once, or who come at the full hour. */
const gatherMs = 50
/** A browser that lost its stream asks again this soon, well before it has waited no longer. */
const retryMs = 1_000

const mostStreams = {
  /** A few windows on a few devices. */
  ofAccount: 32,
  /** Everybody in a full meeting, behind one address. */
  ofNetwork: 1_200,
  /** Each costs some memory and a look every few seconds. */
  inAll: 10_000,
} as const

/** How things stand, and what is announced when that changes. */
export type Look<Snapshot> = { topics: readonly Topic[]; snapshot: Snapshot }

export type StreamOwner = { kind: 'account' | 'network'; id: string }

export type Streams = {
  /**
   * Answers server-sent events: a snapshot at once, and again whenever it is another one. `look` is asked again and
   * again, and says each time whether it is still theirs to see: any problem it throws ends the stream.
   * @throws too_many_requests, unavailable when the service stops, and what the first look throws
   */
  open<Snapshot>(
    reply: FastifyReply,
    owner: StreamOwner,
    look: (again: boolean) => Promise<Look<Snapshot>>,
  ): Promise<Readable>
  /** Ends all that are open at once and takes no more: their readers connect to another instance. */
  end(): void
}

export type StreamsOptions = { announcements: Announcements; log: Logger; lookEveryMs?: number }

export function createStreams(options: StreamsOptions): Streams {
  const { announcements, log, lookEveryMs = usualLookEveryMs } = options
  const open = new Set<AbortController>()
  const countByOwner = new Map<string, number>()
  let isEnding = false

  function takePlace({ kind, id }: StreamOwner): AbortController {
    if (isEnding) throw problem('unavailable', { headers: { 'retry-after': '1' } })
    const owner = `${kind} ${id}`
    const count = countByOwner.get(owner) ?? 0
    const most = kind === 'account' ? mostStreams.ofAccount : mostStreams.ofNetwork
    if (count >= most || open.size >= mostStreams.inAll) throw tooManyRequests(usualLookEveryMs)
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

  return {
    async open(reply, owner, look) {
      const ending = takePlace(owner)
      try {
        const first = await look(false)
        finished(reply.raw, () => ending.abort())
        reply.headers({
          'content-type': 'text/event-stream; charset=utf-8',
          'x-accel-buffering': 'no',
          // One that was kept for later would hold up a service that stops.
          connection: 'close',
        })
        const write = (snapshot: unknown) => String(reply.serialize(snapshot as object))
        const parts = { first, look, write, announcements, ending: ending.signal, log, lookEveryMs }
        return Readable.from(events(parts), { objectMode: false })
      } catch (error) {
        ending.abort()
        throw error
      }
    },
    end() {
      isEnding = true
      for (const ending of [...open]) ending.abort()
    },
  }
}

type Events<Snapshot> = {
  first: Look<Snapshot>
  look: (again: boolean) => Promise<Look<Snapshot>>
  write: (snapshot: Snapshot) => string
  announcements: Announcements
  ending: AbortSignal
  log: Logger
  lookEveryMs: number
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html */
async function* events<Snapshot>(parts: Events<Snapshot>) {
  const { first, look, write, announcements, ending, log, lookEveryMs } = parts
  let isNews = false
  let wake = () => {}
  const stopHearing = announcements.hear(first.topics, () => {
    isNews = true
    wake()
  })
  ending.addEventListener('abort', () => wake())
  const untilNews = () =>
    new Promise<void>((resolve) => {
      if (isNews || ending.aborted) return resolve()
      const timer = setTimeout(resolve, lookEveryMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  try {
    yield `retry: ${retryMs}\n`
    let told = ''
    for (let latest = first; ; ) {
      const text = write(latest.snapshot)
      yield text === told ? ':\n\n' : `data: ${text}\n\n`
      told = text
      await untilNews()
      if (isNews) await sleep(gatherMs)
      if (ending.aborted) return
      isNews = false
      try {
        latest = await look(true)
      } catch (error) {
        // What was theirs to see is not any more.
        if (error instanceof ProblemError) return
        // A database that is away comes back.
        if (isUnavailable(error) || isTimeout(error)) continue
        log.error({ err: error }, 'a stream was ended')
        return
      }
    }
  } finally {
    stopHearing()
  }
}
