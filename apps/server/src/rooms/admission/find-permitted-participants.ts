import type { Caller } from '../../access/caller.ts'
import { trustsEveryAddress } from '../../access/trusted-address.ts'
import type { Config } from '../../platform/config/config.ts'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'
import { type AdmissionRow, admissionColumns, findRoomOccupancy } from './admission-store.ts'
import { evaluateVisitor, isSkipped } from './evaluate-visitor.ts'
import { findLiveGrants } from './find-live-grants.ts'
import { findMeetingForEntryById } from './find-meeting-for-entry.ts'
import { isHardMuted } from './may-unmute.ts'

type InsideRow = AdmissionRow & {
  tenantId: string | null
  addressKey: string | null
  addressTrusted: boolean | null
  disabled: boolean | null
  invited: boolean | null
  cohost: boolean | null
}

const findStatement = statement<InsideRow>(
  'find-people-inside',
  `select ${admissionColumns}, c.tenant_id as "tenantId", c.email_key as "addressKey",
     $3 or c.email_verified_at is not null as "addressTrusted", c.disabled_at is not null as disabled,
     p.invited, p.cohost
   from admission a left join account c on c.id = a.account_id
     left join participant p on p.meeting_id = a.meeting_id and p.email_key = c.email_key
       and ($3 or c.email_verified_at is not null)
   where a.meeting_id = $1 and a.id = any ($2::uuid[])`,
)

/** Somebody who may be inside, as they may be there at this moment; `kept`: as it was when they last asked. */
export type PersonInside = Pick<AdmissionRow, 'id' | 'role' | 'hardMuted'> & {
  kept: AdmissionRow
  /** The account that hosts the meeting. */
  hostId: string
}

/**
 * Who of these may be inside at this moment, by the rule that lets people in (rooms.md 1), as if each asked again with the
 * right PIN. Undefined when there is no such meeting here: an engine may carry rooms of others.
 */
export async function findPermittedParticipants(
  { database, config }: { database: Database; config: Pick<Config, 'emailVerification'> },
  meetingId: string,
  admissionIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, PersonInside> | undefined> {
  const meeting = await findMeetingForEntryById(database, meetingId)
  if (meeting === undefined) return undefined
  const people = await findStatement(database, [meetingId, admissionIds, trustsEveryAddress(config)])
  const standing = await findRoomOccupancy(database, meetingId, undefined)
  const mayActFor = await findLiveGrants(database, people)
  const allowed = people.flatMap((own): [string, PersonInside][] => {
    if (own.disabled || isSkipped(meeting, own) || !mayActFor(own)) return []
    const row = { ...meeting, invited: own.invited, cohost: own.cohost }
    const visit = { row, caller: callerOf(own), own, pin: 'right', bringsHostSecret: false, heading: 'out' } as const
    const { admission, tie } = evaluateVisitor(visit, standing, now)
    if (admission.state !== 'admitted') return []
    return [
      [
        own.id,
        {
          id: own.id,
          role: tie.role,
          hardMuted: isHardMuted(own, tie.role, meeting),
          kept: own,
          hostId: meeting.host.id,
        },
      ],
    ]
  })
  return new Map(allowed)
}

/** Somebody with an account, as they would ask. */
function callerOf(own: InsideRow): Caller | undefined {
  const { accountId, tenantId, addressKey, addressTrusted } = own
  if (accountId === null || tenantId === null || addressKey === null) return undefined
  return {
    ...{ accountId, tenantId, addressKey, addressTrusted: addressTrusted === true, timeZone: '' },
    ...{ administrator: false, reviewer: false, credential: { kind: 'session', sessionId: '' } },
  }
}
