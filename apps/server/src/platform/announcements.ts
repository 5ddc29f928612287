import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { announcementChannel, type Topic } from './announce.ts'

/** A connection that is lost in silence is noticed this soon. */
const checkMs = 15_000
const reconnectMs = 1_000

export type Announcements = {
  /** Calls `tell` whenever something of these topics may have changed, until what it returns is called. */
  hear(topics: readonly Topic[], tell: () => void): () => void
  /** Gives the connection back. Call it before the pool is ended. */
  close(): Promise<void>
}

/** Hears what any instance announces, over one connection of the pool, taken when somebody first wants to hear. */
export function createAnnouncements({ pool, log }: { pool: Pool; log: Logger }): Announcements {
  const listeners = new Map<Topic, Set<() => void>>()
  const closing = new AbortController()
  let listening: Promise<void> | undefined

  async function keepListening() {
    while (!closing.signal.aborted) {
      try {
        await listenUntilLost()
      } catch (error) {
        if (!closing.signal.aborted) log.warn({ err: error }, 'announcements are not heard; changes are looked for')
      }
      await sleep(reconnectMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  async function listenUntilLost() {
    const client = await pool.connect()
    const { promise: lost, resolve: lose } = Promise.withResolvers<'lost'>()
    const end = () => lose('lost')
    closing.signal.addEventListener('abort', end, { once: true })
    // It may have been closed while the connection was made.
    if (closing.signal.aborted) end()
    client.on('error', end)
    client.on('end', end)
    client.on('notification', ({ payload }) => tell(listeners.get(payload as Topic)))
    try {
      await client.query(`listen ${announcementChannel}`)
      // What was announced while nobody listened.
      for (const each of listeners.values()) tell(each)
      while ((await Promise.race([lost, sleep(checkMs, 'quiet', { ref: false })])) === 'quiet') {
        await client.query('select 1')
      }
    } finally {
      closing.signal.removeEventListener('abort', end)
      // A connection that listens is of no use to requests.
      client.release(true)
    }
  }

  return {
    hear(topics, tell) {
      for (const topic of topics) listeners.set(topic, (listeners.get(topic) ?? new Set()).add(tell))
      listening ??= keepListening()
      return () => {
        for (const topic of topics) {
          listeners.get(topic)?.delete(tell)
          if (listeners.get(topic)?.size === 0) listeners.delete(topic)
        }
      }
    },
    async close() {
      closing.abort()
      await listening
    },
  }
}

function tell(listeners: ReadonlySet<() => void> | undefined) {
  for (const each of listeners ?? []) each()
}
