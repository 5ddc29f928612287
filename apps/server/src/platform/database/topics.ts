import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { operations } from '../operation.ts'
import type { Executor } from './database.ts'
import { defineStatement } from './define-statement.ts'

/** One channel for all topics, so that an instance listens once. */
const notificationChannel = 'parley_announcements'

/** What has changed: a kind and an id. */
export type Topic = `${string} ${string}`

export const topicOf = (kind: string, id: string): Topic => `${kind} ${id}`

const publishStatement = defineStatement({
  name: 'publish',
  parameters: { topics: 'text[]' },
  text: (p) => sql`select pg_notify(${sql.lit(notificationChannel)}, topic) from unnest(${p.topics}) as topic`,
})

/**
 * Notify every instance of a change when the transaction commits. Notifications may be lost, so subscribers must also
 * poll from time to time.
 */
export async function publish(executor: Executor, ...topics: readonly Topic[]): Promise<void> {
  if (topics.length > 0) await publishStatement.execute(executor, { topics })
}

/** How soon a silently lost connection is noticed. */
const checkMs = 15_000
const reconnectMs = 1_000

type Listener = {
  published(): void
  /** The connection was lost and restored: notifications may have been missed. */
  mayHaveMissed(): void
}

export type TopicSubscriptions = {
  /** Call the listener for each change of these topics, until the returned function is called. */
  subscribe(topics: readonly Topic[], listener: Listener): () => void
  /** Release the connection. Call it before the pool is ended. */
  close(): Promise<void>
}

/** Receive notifications of all instances over one connection of the pool, opened at the first subscription. */
export function createTopicSubscriptions({ pool, log }: { pool: Pool; log: Logger }): TopicSubscriptions {
  const listeners = new Map<Topic, Set<Listener>>()
  const closing = new AbortController()
  let listening: Promise<void> | undefined

  async function keepListening() {
    while (!closing.signal.aborted) {
      try {
        await listenUntilLost()
      } catch (error) {
        if (!closing.signal.aborted)
          log.warn({ err: error }, 'cannot listen for announcements: polling for changes instead')
      }
      await sleep(reconnectMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  async function listenUntilLost() {
    const client = await pool.connect()
    const { promise: lost, resolve: lose } = Promise.withResolvers<'lost'>()
    const end = () => lose('lost')
    closing.signal.addEventListener('abort', end, { once: true })
    // The subscriptions may have been closed while connecting.
    if (closing.signal.aborted) end()
    client.on('error', end)
    client.on('end', end)
    client.on('notification', ({ payload }) => {
      for (const listener of [...(listeners.get(payload as Topic) ?? [])]) listener.published()
    })
    try {
      await client.query(`listen ${notificationChannel}`)
      for (const each of listeners.values()) for (const listener of each) listener.mayHaveMissed()
      while ((await Promise.race([lost, sleep(checkMs, 'quiet', { ref: false })])) === 'quiet') {
        await client.query('select 1')
      }
    } finally {
      closing.signal.removeEventListener('abort', end)
      // A listening connection must not be reused for requests.
      client.release(true)
    }
  }

  return {
    subscribe(topics, listener) {
      for (const topic of topics) listeners.set(topic, (listeners.get(topic) ?? new Set()).add(listener))
      listening ??= operations.exit(keepListening)
      return () => {
        for (const topic of topics) {
          listeners.get(topic)?.delete(listener)
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
