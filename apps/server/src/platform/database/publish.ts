import { type Executor, statement } from './database.ts'

/** One channel for all topics, so that an instance listens once. */
export const notificationChannel = 'parley_announcements'

/** What has changed: a kind and an id. */
export type Topic = `${string} ${string}`

export const topicOf = (kind: string, id: string): Topic => `${kind} ${id}`

const publishStatement = statement(
  'announce',
  `select pg_notify('${notificationChannel}', topic) from unnest($1::text[]) as topic`,
)

/**
 * Notify every instance of a change when the transaction commits. Notifications may be lost, so subscribers must also
 * poll from time to time.
 */
export async function publish(executor: Executor, ...topics: readonly Topic[]): Promise<void> {
  if (topics.length > 0) await publishStatement(executor, [topics])
}
