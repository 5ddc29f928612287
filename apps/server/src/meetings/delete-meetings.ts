import type { Tx } from '../platform/database/database.ts'

/**
 * Tables with rows of a meeting, referencing tables before referenced ones. Rooms have the id of their meeting, or of
 * an account.
 */
const tablesOfMeetings = [
  'addedMeeting',
  'askedOccurrence',
  'changedOccurrence',
  'droppedCancellation',
  'eventCounter',
  'guestDelivery',
  'guestMail',
  'meetingReminder',
  'meetingState',
  'occurrenceResponse',
  'participant',
  'skippedOccurrence',
  'stoppedReminder',
  'timeProposal',
  'undoableCancellation',
  'roomStay',
  'roomSession',
  'admission',
  'room',
] as const

/** Delete meetings and all their data permanently. Sends no emails: cancellations must have been sent before. */
export async function deleteMeetings(tx: Tx, meetingIds: readonly string[]): Promise<void> {
  for (const table of tablesOfMeetings) {
    await tx.deleteFrom(table).where('meetingId', 'in', meetingIds).execute()
  }
  await tx.deleteFrom('meeting').where('id', 'in', meetingIds).execute()
}
