import type { InvitationResponse } from '@parley/contract'
import { type MeetingTexts, mapTexts, meetingTextNames } from '@parley/contract/meeting-fields'
import type { CalendarState } from '@parley/rules/invitations/invitation-changes'
import type { OccurrenceChange, RecurrenceRule, Series } from '@parley/rules/recurrence/recurrence'
import type { Language } from '@parley/texts/languages'
import { sql } from 'kysely'
import type { StoredBrand } from '../../../migrations/column-values.ts'
import { replyGenerationText } from '../../access/credentials/reply-addresses.ts'
import { exceptionsJson, exceptionsType, type WrittenExceptions } from '../../meetings/exception-store.ts'
import type { DeliveryKey } from '../../meetings/guest-mail-queue.ts'
import { type ScheduleRow, textColumns } from '../../meetings/meeting-row.ts'
import { ownResponsesJson, type WrittenResponse } from '../../meetings/occurrence-response-store.ts'
import type { Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'
import type { Encryption } from '../../platform/encryption.ts'

/** A meeting as mails show it. */
export type MeetingState = CalendarState & {
  /** Local dates of dropped cancellations, so that a mail can list those that take place again. */
  droppedDates: readonly string[]
}

const purpose = 'meeting state'

/** Bound to its row: copied into another one, it cannot be decrypted. */
const ownerOf = ({ meetingId, sequence }: { meetingId: string; sequence: number }) => `${meetingId} ${sequence}`

export const encryptState = (
  encryption: Encryption,
  row: { meetingId: string; sequence: number },
  { series, ...state }: MeetingState,
): Buffer => encryption.encrypt(JSON.stringify({ ...state, series: writeSeries(series) }), purpose, ownerOf(row))

export type EncryptedState = { meetingId: string; sequence: number; encryptedContent: Buffer }

export function decryptState(encryption: Encryption, row: EncryptedState): MeetingState {
  // Written by `encryptState` only.
  const written = encryption.decrypt(row.encryptedContent, purpose, ownerOf(row))
  const { series, ...state }: Omit<MeetingState, 'series'> & { series: WrittenSeries } = JSON.parse(written)
  // A state that was written before a text existed has it empty, as the meeting had.
  return { ...mapTexts(() => ''), ...state, series: readSeries(series) }
}

/** A series as JSON has it. The key `excluded` of the cancelled dates is that of the rows of earlier releases. */
type WrittenSeries = Omit<Series, 'startsAt' | 'endsBy' | 'cancelled' | 'changed'> & {
  startsAt: string
  endsBy: string | null
  excluded: string[]
  changed: WrittenChange[]
}

type WrittenChange = Omit<OccurrenceChange, 'originalStart' | 'times'> & {
  originalStart: string
  times: { startsAt: string; endsAt: string } | null
}

const writeSeries = ({ cancelled, ...rest }: Series) => ({ ...rest, excluded: cancelled })

const readSeries = ({ startsAt, endsBy, excluded, changed, ...rest }: WrittenSeries): Series => ({
  ...rest,
  startsAt: new Date(startsAt),
  endsBy: endsBy === null ? null : new Date(endsBy),
  cancelled: excluded.map((date) => new Date(date)),
  changed: changed.map(({ originalStart, times, ...texts }) => ({
    ...mapTexts(() => null),
    ...texts,
    originalStart: new Date(originalStart),
    times: times && { startsAt: new Date(times.startsAt), endsAt: new Date(times.endsAt) },
  })),
})

/** Select the row `s` of `meeting_state`, if there is one. */
export const stateJson = sql`case when s.meeting_id is not null then json_build_object('meetingId', s.meeting_id,
  'sequence', s.sequence, 'encryptedContent', encode(s.sealed_content, 'base64')) end`

/** An encrypted state as JSON has it. */
export type StateJson = Omit<EncryptedState, 'encryptedContent'> & { encryptedContent: string }

export const readStateJson = (state: StateJson | null): EncryptedState | null =>
  state && { ...state, encryptedContent: Buffer.from(state.encryptedContent, 'base64') }

/** The current meeting, with everything that an email to one guest about this meeting depends on. */
export type MailedMeeting = ScheduleRow &
  MeetingTexts & {
    id: string
    code: string
    sealedSecrets: Buffer
    /** iCalendar's SEQUENCE (RFC 5545, 3.8.7.4). */
    sequence: number
    /** Numbers the mailed states of the meeting. Each state is a row of `meeting_state`. */
    stateSequence: number
    reminderMinutes: number | null
    replyAddress: string | null
    replyGeneration: string
    cancelledAt: Date | null
    /**
     * The original start from which another meeting continues this one, if this guest takes part in that meeting; null
     * also when it is cancelled.
     */
    continuedFrom: Date | null
    invitationMailed: boolean
    reminderMailed: boolean
    cancellationMailed: boolean
    exceptions: WrittenExceptions
    droppedDates: readonly string[]
    /** The look of the host's organisation. */
    brand: StoredBrand
    host: { id: string; name: string; lname: string; email: string; language: Language | '' }
    /** The account with this address, if it is verified: its zone and language are used. */
    reader: { name: string; lname: string; timeZone: string; language: Language | '' } | null
    /** Cohosts count as guests, participants or not. */
    invited: boolean
    /** Whether this guest has blocked the host. */
    blocked: boolean
    response: InvitationResponse | null
    /** Responses to single occurrences that differ from `response`. */
    ownResponses: readonly WrittenResponse[]
    /** Other guests, at most `maxNamedGuests` by address, and how many there are. */
    otherGuests: { emails: readonly string[]; names: readonly string[]; count: number }
    /** What the host calls this guest; empty for no name. */
    displayName: string
    mailFailedAt: Date | null
    mailDelayedUntil: Date | null
    /** The state in the guest's calendar. */
    confirmedState: EncryptedState | null
    /** Ids of the mails so far, oldest first. */
    earlier: readonly string[]
    /** Whether the last mail that may have arrived says that the meeting is cancelled. */
    wasCancelled: boolean
    /** Whether an unconfirmed mail may have arrived. */
    hasUnconfirmed: boolean
    /** Whether another job is delivering to this guest. */
    isBusy: boolean
  }

/** Mail programs also find a thread by its last mails, and headers must stay bounded. */
const maxReferences = 20

/** More addresses would bury the rest of a mail; the page of the meeting has them all. */
const maxNamedGuests = 10

const meetingStatement = defineStatement({
  name: 'find-mailed-meeting',
  parameters: {
    meetingId: 'uuid',
    addressKey: 'text',
    trustsEvery: 'boolean',
    otherJobId: typed<string>('bigint?'),
    confirmedSequence: 'integer?',
  },
  columns: {
    ...pick(
      tables.meeting,
      'id',
      'code',
      ...meetingTextNames,
      'startsAt',
      'endsAt',
      'timeZoneIana',
      'endsBy',
      'sealedSecrets',
      'sequence',
      'reminderMinutes',
      'replyAddress',
      'cancelledAt',
      'continuedFrom',
      'invitationMailed',
      'reminderMailed',
      'cancellationMailed',
    ),
    rule: typed<RecurrenceRule>('jsonb'),
    stateSequence: tables.guestMail.stateSequence,
    replyGeneration: 'text',
    exceptions: exceptionsType,
    droppedDates: 'text[]',
    host: typed<MailedMeeting['host']>('json'),
    brand: tables.tenant.brand,
    reader: typed<NonNullable<MailedMeeting['reader']>>('json?'),
    ...pick(tables.participant, 'invited', 'blocked', 'response', 'mailFailedAt', 'mailDelayedUntil'),
    ownResponses: typed<readonly WrittenResponse[]>('json'),
    otherGuests: typed<MailedMeeting['otherGuests']>('json'),
    displayName: tables.participant.displayName,
    confirmedState: typed<StateJson>('json?'),
    earlier: 'uuid[]',
    wasCancelled: 'boolean',
    hasUnconfirmed: 'boolean',
    isBusy: 'boolean',
  },
  text: (p) => sql`select m.id, m.code, ${textColumns(sql`m`)}, m.starts_at, m.ends_at,
    m.time_zone_iana, m.recurrence as rule, m.ends_by,
    m.sealed_secrets, m.sequence, m.state_sequence,
    m.reminder_minutes, m.reply_address,
    ${replyGenerationText(sql`m.id`, p.addressKey)} as reply_generation, m.cancelled_at,
    m.invitation_mailed, m.reminder_mailed,
    m.cancellation_mailed,
    (select c.continued_from from meeting c where c.continues = m.id and c.cancelled_at is null and exists (
      select from participant cp where cp.meeting_id = c.id and cp.email_key = ${p.addressKey})) as continued_from,
    ${exceptionsJson(sql`m.id`)} as exceptions,
    array(select d.local_date::text from dropped_cancellation d where d.meeting_id = m.id order by 1) as dropped_dates,
    json_build_object('id', h.id, 'name', h.name, 'lname', h.lname, 'email', h.email, 'language', h.language) as host,
    (select t.brand from tenant t where t.id = h.tenant_id) as brand,
    case when a.id is not null then json_build_object('name', a.name, 'lname', a.lname, 'timeZone', a.time_zone,
      'language', a.language) end as reader,
    p.meeting_id is not null as invited,
    exists (select from blocked_sender b where b.account_id = a.id and b.sender_id = m.host_id) as blocked, p.response, ${ownResponsesJson} as own_responses,
    json_build_object(
      'emails', array(select o.email from participant o where o.meeting_id = m.id and o.email_key <> ${p.addressKey}
        and o.invited order by o.email_key limit ${sql.lit(maxNamedGuests)}),
      'names', array(select o.display_name from participant o where o.meeting_id = m.id and o.email_key <> ${p.addressKey}
        and o.invited order by o.email_key limit ${sql.lit(maxNamedGuests)}),
      'count', (select count(*) from participant o where o.meeting_id = m.id and o.email_key <> ${p.addressKey}
        and o.invited)) as other_guests, coalesce(p.display_name, '') as display_name,
    p.mail_failed_at,
    p.mail_delayed_until, ${stateJson} as confirmed_state,
    array(select e.id from (
      select id from guest_mail e where e.meeting_id = m.id and e.email_key = ${p.addressKey}
      order by id desc limit ${sql.lit(maxReferences + 1)}
    ) e order by e.id) as earlier,
    coalesce((select last.kind = 'cancellation' from guest_mail last
      where last.meeting_id = m.id and last.email_key = ${p.addressKey} and last.kind <> 'reminder'
        and (last.outcome <> 'unknown' or last.kind = 'cancellation')
      order by last.id desc limit 1), false) as was_cancelled,
    exists (select from guest_mail u where u.meeting_id = m.id and u.email_key = ${p.addressKey} and u.outcome = 'unknown'
      and u.kind <> 'reminder') as has_unconfirmed,
    exists (select from graphile_worker.jobs j where j.id = ${p.otherJobId} and j.locked_at is not null) as is_busy
  from meeting m
    join account h on h.id = m.host_id
    left join account a on a.email_key = ${p.addressKey} and (a.email_verified_at is not null or ${p.trustsEvery})
    left join participant p on p.meeting_id = m.id and p.email_key = ${p.addressKey}
    left join meeting_state s on s.meeting_id = m.id and s.sequence = ${p.confirmedSequence}
  where m.id = ${p.meetingId}`,
})

/**
 * Find the current meeting. Call it after locking the delivery's row, so that everything committed before is visible.
 * `otherJobId`: the job that delivers according to that row, unless that is the current job.
 */
export async function findMailedMeeting(
  tx: Tx,
  { meetingId, addressKey }: DeliveryKey,
  {
    trustsEvery,
    otherJobId,
    confirmedSequence,
  }: {
    trustsEvery: boolean
    otherJobId: string | null
    confirmedSequence: number | null
  },
): Promise<MailedMeeting | undefined> {
  const [found] = await meetingStatement.execute(tx, {
    meetingId,
    addressKey,
    trustsEvery,
    otherJobId,
    confirmedSequence,
  })
  return found && { ...found, confirmedState: readStateJson(found.confirmedState) }
}
