import type { Tx } from '../tables/tables.ts'

/** What refers to a meeting, those first that others refer to last. Rooms have the id of their meeting, or of an account's. */
const tablesOfMeetings = [
  ...['addedMeeting', 'droppedCancellation', 'guestDelivery', 'guestMail', 'meetingLetter', 'meetingNotice'],
  ...['meetingReminder', 'meetingState', 'participant', 'skippedOccurrence', 'stoppedReminder'],
  ...['roomStay', 'roomSession', 'admission', 'room'],
] as const

/** Delete meetings, and all that is kept of them, for good. Nobody is told: whoever had to be was told before. */
export async function deleteMeetings(tx: Tx, meetingIds: readonly string[]): Promise<void> {
  for (const table of tablesOfMeetings) {
    await tx.deleteFrom(table).where('meetingId', 'in', meetingIds).execute()
  }
  await tx.deleteFrom('meeting').where('id', 'in', meetingIds).execute()
}
