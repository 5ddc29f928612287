import { sql } from 'kysely'
import type { Executor } from './database.ts'
import { defineStatement } from './define-statement.ts'

/** One channel for all topics, so that an instance listens once. */
export const notificationChannel = 'parley_announcements'

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
