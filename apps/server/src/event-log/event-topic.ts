import { topicOf } from '../platform/database/publish.ts'

/** The topic that reports that events of an account were published. */
export const eventTopic = (accountId: string) => topicOf('events', accountId)
