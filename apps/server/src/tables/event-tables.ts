import type { EventType } from '@parley/contract'
import type { Generated, JSONColumnType } from 'kysely'

export type EventTables = {
  event: EventTable
  /** One row. */
  eventLog: { lastPosition: number; deletedPosition: number }
  eventCounter: { meetingId: string; lastSequence: number }
}

type EventTable = {
  id: Generated<string>
  /** The order of insertion, which is not that of commits. */
  number: Generated<number>
  /** The order in which events are read; null until the event is published. */
  position: Generated<number | null>
  type: EventType
  occurredAt: Date
  accountId: string
  subject: string
  meetingId: string | null
  appId: string | null
  /** The grant by which an app made the change. No foreign key: events outlive grants. */
  actingGrantId: string | null
  /** The number of the event among those of its meeting; null until it is published, and without a meeting. */
  sequence: Generated<number | null>
  data: JSONColumnType<object>
}
