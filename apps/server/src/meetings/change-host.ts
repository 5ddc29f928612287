import { sql } from 'kysely'
import type { Service } from '../access/service.ts'
import { recordMeetingEvent } from '../event-log/record-event.ts'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, tables } from '../platform/database/tables.ts'
import { isBlocked, shareBlocksOfHost } from './blocked-senders/blocked-sender-store.ts'
import { countShards } from './meeting-store.ts'
import { queueReconcileRoom } from './reconcile-room-job.ts'
import { decryptSecrets, encryptSecrets, newMeetingSecrets } from './secrets/meeting-secrets.ts'

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

const changeStatement = defineStatement({
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
    where id = ${p.meetingId} returning octet_length(topic) + octet_length(description) as text_bytes,
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
  { random, encryption }: Pick<Service, 'random' | 'encryption'>,
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
  await changeStatement.execute(tx, { meetingId, hostId, newHostId, sealedSecrets: renewed, now })
  const more = { changed: ['userId' as const] }
  await recordMeetingEvent(tx, { type: 'meeting.updated', meetingId, more, actingGrantId: null, now })
  await queueReconcileRoom(tx, meetingId, { changed: true })
}
