import type { AllowedRights, RoomRole } from '@parley/contract'
import { currentRoomOf, openBreakout } from '@parley/rules/rooms/breakout-rooms'
import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { grantJoins, sqlLiveGrant } from '../../access/credentials/live-grant.ts'
import { trustsEveryAddress } from '../../access/trusted-address.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement, type RowOf } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import { type AdmissionRow, admissionColumns, admissionTypes, findRoomOccupancy } from './admission-store.ts'
import { findMeetingForEntryById } from './meeting-for-entry.ts'
import { evaluateVisitor } from './visitor.ts'

const insideTypes = {
  ...admissionTypes,
  tenantId: 'uuid?',
  addressKey: 'text?',
  addressTrusted: 'boolean?',
  disabled: 'boolean?',
  invited: 'boolean?',
  cohost: 'boolean?',
} as const

type InsideRow = RowOf<typeof insideTypes>

const findPeopleStatement = defineStatement({
  name: 'find-people-inside',
  parameters: { meetingId: tables.admission.meetingId, ids: 'uuid[]', trustsEvery: 'boolean' },
  columns: insideTypes,
  text: (p) => sql`select ${admissionColumns}, c.tenant_id, c.email_key as address_key,
     ${p.trustsEvery} or c.email_verified_at is not null as address_trusted, c.disabled_at is not null as disabled,
     p.invited, p.cohost
   from admission a left join account c on c.id = a.account_id
     left join participant p on p.meeting_id = a.meeting_id and p.email_key = c.email_key
       and (${p.trustsEvery} or c.email_verified_at is not null)
   where a.meeting_id = ${p.meetingId} and a.id = any (${p.ids})`,
})

/** A person who may be inside, with the rights that the person has now. */
export type PermittedParticipant = Pick<AdmissionRow, 'id' | 'accountId' | 'name' | 'role'> & {
  allowed: AllowedRights
  /** The breakout room that the person is in; null for the main room. */
  breakoutRoom: string | null
  /** The role in the person's admission, which may be older. */
  storedRole: RoomRole
  /** The account that hosts the meeting. */
  hostId: string
}

/**
 * Find which of these people may be inside at this moment, by the rule `evaluateAdmission`, as if each asked again with
 * the right PIN. Undefined if there is no such meeting: a media server may also carry rooms of other services.
 * @returns the permitted participants by admission id
 */
export async function findPermittedParticipants(
  { database, config }: { database: Database; config: Pick<Config, 'emailVerification'> },
  meetingId: string,
  admissionIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, PermittedParticipant> | undefined> {
  const meeting = await findMeetingForEntryById(database, meetingId)
  if (meeting === undefined) return undefined
  const people = await findPeopleStatement.execute(database, {
    meetingId,
    ids: admissionIds,
    trustsEvery: trustsEveryAddress(config),
  })
  const occupancy = await findRoomOccupancy(database, meetingId, undefined)
  const hasLiveGrant = await findLiveGrants(database, people)
  const breakout = openBreakout(meeting.breakout, now)
  const permitted = new Map<string, PermittedParticipant>()
  for (const { tenantId, addressKey, addressTrusted, disabled, invited, cohost, ...admission } of people) {
    if (disabled || !hasLiveGrant(admission)) continue
    const situation = {
      meeting: { ...meeting, invited, cohost },
      caller: callerOf({ accountId: admission.accountId, tenantId, addressKey, addressTrusted }),
      admission,
      pin: 'right',
      bringsHostSecret: false,
      isInside: true,
    } as const
    const { verdict, visitor, allowed } = evaluateVisitor(situation, occupancy, now)
    if (verdict.state !== 'admitted') continue
    permitted.set(admission.id, {
      id: admission.id,
      accountId: admission.accountId,
      name: admission.name,
      role: visitor.role,
      allowed,
      breakoutRoom: currentRoomOf(breakout, admission),
      storedRole: admission.role,
      hostId: meeting.host.id,
    })
  }
  return permitted
}

/** The caller that a request of this account would have; undefined for a guest. */
function callerOf({
  accountId,
  tenantId,
  addressKey,
  addressTrusted,
}: Pick<InsideRow, 'accountId' | 'tenantId' | 'addressKey' | 'addressTrusted'>): Caller | undefined {
  if (accountId === null || tenantId === null || addressKey === null) return undefined
  return {
    accountId,
    tenantId,
    addressKey,
    addressTrusted: addressTrusted === true,
    timeZone: '',
    administrator: false,
    reviewer: false,
    credential: { kind: 'session', sessionId: '' },
  }
}

const findLiveStatement = defineStatement({
  name: 'find-live-grants',
  parameters: { ids: 'uuid[]' },
  columns: pick(tables.appGrant, 'id', 'tokensEndedAt'),
  text: (p) => sql`select g.id, a.app_tokens_ended_at as tokens_ended_at from app_grant g ${grantJoins}
   where g.id = any (${p.ids}) and 'meeting:join' = any (g.api_scopes) and ${sqlLiveGrant}`,
})

type AppAdmission = Pick<AdmissionRow, 'grantId' | 'askedAt'>

/**
 * Find whether the apps through which these people entered may still act for them (docs/oauth-reference.md, "Revoking").
 * @returns a predicate; true for people who entered without an app
 */
async function findLiveGrants(database: Database, admissions: readonly AppAdmission[]) {
  const ids = admissions.flatMap(({ grantId }) => grantId ?? [])
  const live = new Map(
    ids.length === 0
      ? []
      : (await findLiveStatement.execute(database, { ids })).map(({ id, tokensEndedAt }) => [id, tokensEndedAt]),
  )
  return ({ grantId, askedAt }: AppAdmission): boolean => {
    if (grantId === null) return true
    const tokensEndedAt = live.get(grantId)
    return tokensEndedAt !== undefined && (tokensEndedAt === null || askedAt > tokensEndedAt)
  }
}
