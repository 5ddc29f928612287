import type { Executor } from '../platform/database/database.ts'
import { publish, topicOf } from '../platform/database/topics.ts'

/**
 * The topic that the streams of an account subscribe to, and those of its apps. A notification reports that a session,
 * token, consent or right has ended, or that an app may no longer be used.
 */
export const accessTopic = (accountId: string) => topicOf('access', accountId)

/**
 * The account that the streams of an app's tokens follow besides their user: the app's owner, or the app itself where
 * it has no owner.
 */
export const accessIdOf = (app: { id: string; ownerId: string | null }): string => app.ownerId ?? app.id

/** After commit, have the open streams of these accounts and of their apps check their right to continue. */
export const publishAccessEnded = (executor: Executor, ...accountIds: readonly string[]) =>
  publish(executor, ...[...new Set(accountIds)].map(accessTopic))
