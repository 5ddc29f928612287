import { type Executor, statement } from './database.ts'

/** One channel for everything, so that an instance listens once; PostgreSQL wants it as it is. */
export const announcementChannel = 'parley_announcements'

const notifyStatement = statement('announce', `select pg_notify('${announcementChannel}', $1)`)

/** What has changed: a kind of thing, and which one. */
export type Topic = `${string} ${string}`

export const topicOf = (kind: string, id: string): Topic => `${kind} ${id}`

/** Tells every instance that something has changed, when the transaction is committed and not otherwise. */
export async function announce(executor: Executor, topic: Topic): Promise<void> {
  await notifyStatement(executor, [topic])
}
