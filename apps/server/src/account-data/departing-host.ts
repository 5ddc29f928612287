import { planCancellation } from '@parley/rules/meetings/cancellation'
import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { sql } from 'kysely'
import { serviceActorFor } from '../access/caller.ts'
import { recordMeetingEvent } from '../event-log/record-event.ts'
import { isBlocked, shareBlocksOfHost } from '../meetings/blocked-sender-store.ts'
import { endSeries } from '../meetings/cancel-meeting.ts'
import type { Dependencies } from '../meetings/dependencies.ts'
import { findExceptions } from '../meetings/exception-store.ts'
import { textBytesColumn } from '../meetings/meeting-row.ts'
import { decryptSecrets, encryptSecrets, newMeetingSecrets } from '../meetings/meeting-secrets.ts'
import { countShards, findAnyMeeting } from '../meetings/meeting-store.ts'
import { queueReconcileRoom } from '../meetings/reconcile-room-job.ts'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, tables } from '../platform/database/tables.ts'

/** Lock a meeting to change its host. False if `hostId` no longer hosts it. */
export async function lockForNewHost(tx: Tx, meetingId: string, hostId: string): Promise<boolean> {
  const held = await tx
    .selectFrom('meeting')
    .select('id')
    .where('id', '=', meetingId)
    .where('hostId', '=', hostId)
    .forUpdate()
    .executeTakeFirst()
  return held !== undefined
}

const changeHostStatement = defineStatement({
  name: 'change-host',
  parameters: {
    meetingId: tables.participant.meetingId,
    ...pick(tables.meeting, 'hostId', 'sealedSecrets'),
    newHostId: 'uuid',
    now: 'timestamptz',
  },
  text: (p) => sql`with changed as (
    update meeting set host_id = ${p.newHostId}, modified_by = ${p.newHostId}, modified_at = ${p.now},
      sealed_secrets = ${p.sealedSecrets}, app_id = null,
      version = version + 1, sequence = sequence + 1, state_sequence = sequence + 1
    where id = ${p.meetingId} returning ${textBytesColumn((name) => sql.raw(name))} as text_bytes,
      (select count(*) from participant where meeting_id = ${p.meetingId}) as participants
  ), marked as (
    update participant p set blocked = ${isBlocked(sql`p.email_key`, sql`${p.newHostId}`)} where p.meeting_id = ${p.meetingId}
  ) insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled, participants, text_bytes)
    select host.id, pg_backend_pid() % ${sql.lit(countShards)}, host.change, 0, host.change * participants,
      host.change * text_bytes
    from changed, (values (${p.newHostId}, 1), (${p.hostId}, -1)) as host (id, change)
    on conflict (host_id, shard) do update set active = hosted.active + excluded.active,
      participants = hosted.participants + excluded.participants, text_bytes = hosted.text_bytes + excluded.text_bytes`,
})

/**
 * Give a meeting, which the caller has locked, to another host. The earlier host key and host PIN stop working, and the
 * app that created the meeting gets no access through the new host.
 */
export async function changeHost(
  tx: Tx,
  { random, encryption }: Pick<Dependencies, 'random' | 'encryption'>,
  { meetingId, hostId, newHostId, now }: { meetingId: string; hostId: string; newHostId: string; now: Date },
): Promise<void> {
  await shareBlocksOfHost(tx, newHostId)
  const { sealedSecrets } = await tx
    .selectFrom('meeting')
    .select('sealedSecrets')
    .where('id', '=', meetingId)
    .executeTakeFirstOrThrow()
  const { pin } = decryptSecrets(encryption, { id: meetingId, sealedSecrets })
  const renewed = encryptSecrets(encryption, meetingId, { ...newMeetingSecrets(random), pin })
  await changeHostStatement.execute(tx, { meetingId, hostId, newHostId, sealedSecrets: renewed, now })
  const more = { changed: ['userId' as const] }
  await recordMeetingEvent(tx, { type: 'meeting.updated', meetingId, more, actingGrantId: null, now })
  await queueReconcileRoom(tx, meetingId, { changed: true })
}

const lockAnyStatement = defineStatement({
  name: 'lock-any-meeting',
  parameters: { id: tables.meeting.id },
  text: (p) => sql`select from meeting where id = ${p.id} for update`,
})

/** Cancel the rest of a meeting whose host's account is deleted, and email its guests. */
export async function cancelRest(tx: Tx, dependencies: Pick<Dependencies, 'config'>, meetingId: string, now: Date) {
  await lockAnyStatement.execute(tx, { id: meetingId })
  const meeting = await findAnyMeeting(tx, meetingId)
  if (meeting === undefined) return
  const series = seriesOf(meeting, await findExceptions(tx, meetingId))
  const plan = planCancellation(series, meeting.cancelledAt, { extent: 'all', occurrence: undefined }, now)
  if (plan.kind !== 'end') return
  const actor = serviceActorFor(meeting.host)
  await endSeries(tx, dependencies, { meeting, series, plan, actor, notifies: true }, now)
  await queueReconcileRoom(tx, meetingId, { changed: true })
}

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
  'meetingColour',
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

/** Delete meetings and all their data permanently. Send no emails: cancellations must have been sent before. */
export async function deleteMeetings(tx: Tx, meetingIds: readonly string[]): Promise<void> {
  for (const table of tablesOfMeetings) {
    await tx.deleteFrom(table).where('meetingId', 'in', meetingIds).execute()
  }
  await tx.deleteFrom('meeting').where('id', 'in', meetingIds).execute()
}
