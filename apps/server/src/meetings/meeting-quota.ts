import { type MeetingTexts, meetingTextNames } from '@parley/contract/meeting-fields'
import { violationAt } from '@parley/rules/text/violation'
import { sql } from 'kysely'
import type { Config } from '../platform/config/config.ts'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { tables } from '../platform/database/tables.ts'
import { problem } from '../platform/http/problem.ts'

/**
 * How many meetings, participants and bytes of text a host may keep. How many emails an account may cause:
 * mail-allowance.ts.
 */

/** What the meetings of a host take, or a change of one adds. */
type MeetingUsage = { meetings: number; participants: number; textBytes: number }

/** The number of a host with five to ten guests in each meeting. */
const participantsPerMeeting = 10
/** A page of text for each meeting. */
const textBytesPerMeeting = 5_000

/** What an account may keep, by the number of meetings that the operator allows (MEETINGS_PER_ACCOUNT). */
export const quotaOf = ({ meetingsPerAccount }: Pick<Config, 'meetingsPerAccount'>): MeetingUsage => ({
  meetings: meetingsPerAccount,
  participants: meetingsPerAccount * participantsPerMeeting,
  textBytes: meetingsPerAccount * textBytesPerMeeting,
})

/**
 * How close to a quota a host's changes take turns: more than one account's concurrent requests can add
 * (access/request-limits.ts), so that hosts further away cannot overshoot.
 */
const near: MeetingUsage = { meetings: 500, participants: 100_000, textBytes: 20_000_000 }

/** The class of advisory locks on hosts that are near their quota; an arbitrary, unique number. */
const quotaLockClass = 727_543

const lockQuotaStatement = defineStatement({
  name: 'lock-meeting-quota',
  parameters: { hostId: tables.hostedMeetingCount.hostId },
  text: (p) => sql`select pg_advisory_xact_lock(${sql.lit(quotaLockClass)}, hashtext(${p.hostId}::text))`,
})

const usageStatement = defineStatement({
  name: 'find-meeting-usage',
  parameters: { hostId: tables.hostedMeetingCount.hostId },
  columns: { meetings: 'bigint', participants: 'bigint', textBytes: tables.hostedMeetingCount.textBytes },
  text: (p) => sql`select coalesce(sum(active + cancelled), 0)::bigint as meetings,
    coalesce(sum(participants), 0)::bigint as participants, coalesce(sum(text_bytes), 0)::bigint as text_bytes
  from hosted_meeting_count where host_id = ${p.hostId}`,
})

const none: MeetingUsage = { meetings: 0, participants: 0, textBytes: 0 }
const findUsage = async (tx: Tx, hostId: string) => (await usageStatement.execute(tx, { hostId }))[0] ?? none

const names = ['meetings', 'participants', 'textBytes'] as const

/**
 * Reserve what a change adds to the meetings of a host, until the transaction ends: near the quota, the changes of a host
 * take turns. A change that adds nothing is never refused. @throws quota_exceeded
 */
export async function reserveQuota(
  tx: Tx,
  config: Pick<Config, 'meetingsPerAccount' | 'rateLimits'>,
  hostId: string,
  added: MeetingUsage,
): Promise<void> {
  if (!config.rateLimits || names.every((name) => added[name] <= 0)) return
  const quota = quotaOf(config)
  const exceeds = (used: MeetingUsage, margin: MeetingUsage) =>
    names.find((name) => added[name] > 0 && used[name] + added[name] > quota[name] - margin[name])
  if (exceeds(await findUsage(tx, hostId), near) === undefined) return
  await lockQuotaStatement.execute(tx, { hostId })
  const exceeded = exceeds(await findUsage(tx, hostId), none)
  if (exceeded !== undefined) throw quotaExceeded(exceeded, quota)
}

function quotaExceeded(name: keyof MeetingUsage, quota: MeetingUsage) {
  const advice = 'The operator can raise MEETINGS_PER_ACCOUNT.'
  switch (name) {
    case 'meetings':
      return problem('quota_exceeded', { detail: `An account keeps ${quota.meetings} meetings at most. ${advice}` })
    case 'participants':
      return problem('quota_exceeded', {
        detail: `The meetings of an account have ${quota.participants} participants at most, in all of them. ${advice}`,
        violations: [violationAt('/participants', { code: 'quota_exceeded', message: 'would exceed the quota' })],
      })
    case 'textBytes':
      return problem('quota_exceeded', {
        detail: `The texts of an account's meetings have ${quota.textBytes} bytes at most. ${advice}`,
        violations: [violationAt('/description', { code: 'quota_exceeded', message: 'would exceed the quota' })],
      })
  }
}

/** The bytes of a meeting's texts, as `textBytesColumn` counts them. */
export const textBytesOf = (texts: MeetingTexts): number =>
  meetingTextNames.reduce((sum, name) => sum + Buffer.byteLength(texts[name]), 0)
