import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import { inTransaction } from '../platform/database/database.ts'
import type { Database } from '../tables/tables.ts'
import { maxNotedAtOnce, noteGone, noteSeen } from './admission/admission-store.ts'
import { publishEntryChange } from './room-topics.ts'

export type PresenceTimes = {
  /** Well within `waitsUnseenMs`, so that a note may come late, and within `goneAfterMs`. */
  noteEveryMs: number
  /** Who has closed the page, and has not come back within this, waits no longer. */
  goneAfterMs: number
}

const defaultTimes: PresenceTimes = { noteEveryMs: 8_000, goneAfterMs: 10_000 }
const tickMs = 1_000

/** Who waits at a door with an open page of this instance. */
export type Presence = {
  /** Whether the person of this stream is held here. */
  holds(closed: AbortSignal): boolean
  /** The person of an admission waits for as long as the stream is open: until `closed` aborts. */
  enter(admissionId: string, closed: AbortSignal): void
  /** They wait no longer, though the page is open: they were admitted, or turned away. */
  leave(closed: AbortSignal): void
  /** Notes nothing more: pages that lose their streams now connect to another instance. */
  close(): void
}

/**
 * Notes in one statement, now and again, that all who have a page open here still wait; and soon after a page was closed,
 * that its person does not. A process that dies leaves its people to `waitsUnseenMs`.
 */
export function createPresence({
  database,
  clock,
  log,
  times: { noteEveryMs, goneAfterMs } = defaultTimes,
}: {
  database: Database
  clock: Clock
  log: Logger
  times?: PresenceTimes
}): Presence {
  const admissionByStream = new Map<AbortSignal, string>()
  const streamsByAdmission = new Map<string, number>()
  /** Since when, by the clock, and for how many ticks more they may come back. */
  const leaving = new Map<string, { since: Date; ticksLeft: number }>()
  let ticker: NodeJS.Timeout | undefined
  const ticksBetweenNotes = Math.ceil(noteEveryMs / tickMs)
  let ticksToNote = ticksBetweenNotes
  let isBusy = false
  let isClosed = false

  async function tick() {
    if (isBusy) return
    isBusy = true
    try {
      const gone = endOfLeaving()
      if (gone.length > 0) await writeGone(gone)
      if (--ticksToNote <= 0) {
        ticksToNote = ticksBetweenNotes
        await writeSeen()
      }
    } catch (error) {
      log.warn({ err: error }, 'who waits at the doors could not be noted')
    } finally {
      isBusy = false
    }
    if (streamsByAdmission.size === 0 && leaving.size === 0) stopTicking()
  }

  function endOfLeaving() {
    const gone: { id: string; since: Date }[] = []
    for (const [id, each] of leaving) {
      each.ticksLeft -= 1
      if (each.ticksLeft > 0) continue
      leaving.delete(id)
      gone.push({ id, since: each.since })
    }
    return gone
  }

  const writeGone = (gone: { id: string; since: Date }[]) =>
    inTransaction(database, async (tx) => {
      for (const meetingId of await noteGone(tx, gone, clock.now())) await publishEntryChange(tx, meetingId)
    })

  async function writeSeen() {
    const ids = [...streamsByAdmission.keys()]
    for (let at = 0; at < ids.length && !isClosed; at += maxNotedAtOnce) {
      await noteSeen(database, ids.slice(at, at + maxNotedAtOnce), clock.now())
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
    const left = (streamsByAdmission.get(admissionId) ?? 0) - 1
    if (left > 0) streamsByAdmission.set(admissionId, left)
    else streamsByAdmission.delete(admissionId)
    return left > 0 ? undefined : admissionId
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
