import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { maxSeenBatch, recordGone, recordSeen } from './admission/admission-store.ts'
import { publishWaitingRoomChange } from './room-topics.ts'

export type PresenceTimes = {
  /** Well below `waitsUnseenMs`, so that a write may be late, and below `goneAfterMs`. */
  recordEveryMs: number
  /** A person who closes the page and does not return within this time no longer waits. */
  goneAfterMs: number
}

const defaultTimes: PresenceTimes = { recordEveryMs: 8_000, goneAfterMs: 10_000 }
const tickMs = 1_000

/** Tracks people who wait to enter a room and whose page is connected to this instance. */
export type Presence = {
  /** Whether this stream is tracked. */
  holds(closed: AbortSignal): boolean
  /** Track a waiting person for as long as the stream is open, until `closed` aborts. */
  enter(admissionId: string, closed: AbortSignal): void
  /** Stop tracking a stream that stays open: its person was admitted or denied. */
  leave(closed: AbortSignal): void
  /** Write nothing more: pages that lose their streams now reconnect to another instance. */
  close(): void
}

/**
 * Periodically record in one statement that all people with an open page here still wait, and record soon after a page
 * is closed that its person does not. After a crash, people of this instance stop waiting after `waitsUnseenMs`.
 */
export function createPresence({
  database,
  clock,
  log,
  times: { recordEveryMs, goneAfterMs } = defaultTimes,
}: {
  database: Database
  clock: Clock
  log: Logger
  times?: PresenceTimes
}): Presence {
  const admissionByStream = new Map<AbortSignal, string>()
  const streamsByAdmission = new Map<string, number>()
  /** People without a stream: since when, and for how many more ticks they may return. */
  const leaving = new Map<string, { since: Date; ticksLeft: number }>()
  let ticker: NodeJS.Timeout | undefined
  const ticksBetweenRecords = Math.ceil(recordEveryMs / tickMs)
  let ticksToRecord = ticksBetweenRecords
  let isBusy = false
  let isClosed = false

  async function tick() {
    if (isBusy) return
    isBusy = true
    try {
      const gone = takeGone()
      if (gone.length > 0) await writeGone(gone)
      if (--ticksToRecord <= 0) {
        ticksToRecord = ticksBetweenRecords
        await writeSeen()
      }
    } catch (error) {
      log.warn({ err: error }, 'could not record who waits to enter')
    } finally {
      isBusy = false
    }
    if (streamsByAdmission.size === 0 && leaving.size === 0) stopTicking()
  }

  function takeGone() {
    const gone: { id: string; since: Date }[] = []
    for (const [id, person] of leaving) {
      person.ticksLeft -= 1
      if (person.ticksLeft > 0) continue
      leaving.delete(id)
      gone.push({ id, since: person.since })
    }
    return gone
  }

  const writeGone = (gone: { id: string; since: Date }[]) =>
    inTransaction(database, async (tx) => {
      for (const meetingId of await recordGone(tx, gone, clock.now())) await publishWaitingRoomChange(tx, meetingId)
    })

  async function writeSeen() {
    const ids = [...streamsByAdmission.keys()]
    for (let at = 0; at < ids.length && !isClosed; at += maxSeenBatch) {
      await recordSeen(database, ids.slice(at, at + maxSeenBatch), clock.now())
    }
  }

  function stopTicking() {
    clearInterval(ticker)
    ticker = undefined
  }

  function release(closed: AbortSignal): string | undefined {
    const admissionId = admissionByStream.get(closed)
    if (admissionId === undefined) return undefined
    admissionByStream.delete(closed)
    const remaining = (streamsByAdmission.get(admissionId) ?? 0) - 1
    if (remaining > 0) streamsByAdmission.set(admissionId, remaining)
    else streamsByAdmission.delete(admissionId)
    return remaining > 0 ? undefined : admissionId
  }

  return {
    holds: (closed) => admissionByStream.has(closed),
    enter(admissionId, closed) {
      if (isClosed || closed.aborted || admissionByStream.has(closed)) return
      admissionByStream.set(closed, admissionId)
      streamsByAdmission.set(admissionId, (streamsByAdmission.get(admissionId) ?? 0) + 1)
      leaving.delete(admissionId)
      closed.addEventListener('abort', () => {
        const gone = release(closed)
        if (gone === undefined || isClosed) return
        leaving.set(gone, { since: clock.now(), ticksLeft: Math.ceil(goneAfterMs / tickMs) })
      })
      ticker ??= setInterval(() => void tick(), tickMs).unref()
    },
    leave: (closed) => void release(closed),
    close() {
      isClosed = true
      stopTicking()
    },
  }
}
