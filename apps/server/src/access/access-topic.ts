import type { Executor } from '../platform/database/database.ts'
import { publish, topicOf } from '../platform/database/publish.ts'

/** The topic that an account's streams subscribe to. It reports that a session, token, consent or right has ended. */
export const accessTopic = (accountId: string) => topicOf('access', accountId)

/** After commit, have the open streams of these accounts check their right to go on. */
export const publishAccessEnded = (executor: Executor, ...accountIds: readonly string[]) =>
  publish(executor, ...[...new Set(accountIds)].map(accessTopic))
