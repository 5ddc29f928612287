import { audit } from '../../access/audit.ts'
import type { Service } from '../../access/service.ts'
import type { EndedCall } from '../../meetings/reconcile-room-job.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { findDatesInCall } from '../admission/admission-store.ts'
import { isDateCancelled } from '../admission/entry-view.ts'
import { findMeetingForEntryById } from '../admission/find-meeting-for-entry.ts'
import { lockRoomRow } from '../attendance/attendance-record-store.ts'
import { endSessionNow } from '../attendance/room-history.ts'

type Dependencies = Pick<Service, 'clock' | 'random'> & { database: Database }

/**
 * End the call that was in progress when its date was cancelled. The room itself is not ended: once the cancellation is
 * undone, people enter as before. Changes nothing when the call is that of another date, or began later.
 */
export const endCancelledCall = (
  { database, clock, random }: Dependencies,
  meetingId: string,
  { at, actorId, actingGrantId, address }: EndedCall,
): Promise<void> =>
  inTransaction(database, async (tx) => {
    await lockRoomRow(tx, meetingId)
    const row = await findMeetingForEntryById(tx, meetingId)
    const dates = await findDatesInCall(tx, meetingId, new Date(at))
    if (row === undefined || !dates.some((date) => isDateCancelled(row, date))) return
    const now = clock.now()
    await endSessionNow(tx, meetingId, actingGrantId, now)
    await audit(tx, random, now, {
      tenantId: row.host.tenantId,
      actorId,
      subjectId: null,
      action: 'room.ended',
      detail: { meetingId },
      address,
    })
  })
