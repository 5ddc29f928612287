import type { EventReply, EventType } from '@parley/contract'

/** A published event, as its row holds it. */
export type EventRow = {
  id: string
  type: EventType
  occurredAt: Date
  accountId: string
  subject: string
  sequence: number | null
  /** The grant by which an app made the change, if the reader may know it. */
  actingGrantId: string | null
  data: Record<string, unknown>
}

/** An event as the API returns it. */
export const viewEvent = (row: EventRow, baseUrl: string): EventReply => ({
  id: row.id,
  type: row.type,
  timestamp: row.occurredAt.toISOString(),
  sequence: row.sequence,
  subject: row.subject,
  actingGrantId: row.actingGrantId,
  data: {
    userId: row.accountId,
    ...row.data,
    // Without the PIN, which is in the fragment of the links that people share (meeting-view.ts).
    ...(row.data.svcMeetId !== undefined && { joinUrl: `${baseUrl}/j/${row.data.svcMeetId}` }),
  },
})
