import { type Executor, statement } from './database.ts'

/** One channel for everything, so that an instance listens once. */
export const notificationChannel = 'parley_announcements'

/** What has changed: a kind of thing, and which one. */
export type Topic = `${string} ${string}`

export const topicOf = (kind: string, id: string): Topic => `${kind} ${id}`

const publishStatement = statement(
  'announce',
  `select pg_notify('${notificationChannel}', topic) from unnest($1::text[]) as topic`,
)

/**
 * Tells every instance that something has changed, when the transaction is committed and not otherwise. It may be lost,
 * so whoever listens also looks from time to time.
 */
export async function publish(executor: Executor, ...topics: readonly Topic[]): Promise<void> {
  if (topics.length > 0) await publishStatement(executor, [topics])
}
