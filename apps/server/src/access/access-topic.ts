import type { Executor } from '../platform/database/database.ts'
import { publish, topicOf } from '../platform/database/publish.ts'

/** What the streams of an account listen to: a session, token, consent or right of it has ended. */
export const accessTopic = (accountId: string) => topicOf('access', accountId)

/** Have open streams of these accounts check at once, when the transaction is committed, whether they may go on. */
export const publishAccessEnded = (executor: Executor, ...accountIds: readonly string[]) =>
  publish(executor, ...[...new Set(accountIds)].map(accessTopic))
