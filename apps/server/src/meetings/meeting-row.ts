import type { AdvancedOptions, InvitationResponse } from '@parley/contract'
import { type MeetingText, type MeetingTexts, mapTexts, meetingTextNames } from '@parley/contract/meeting-fields'
import type { CalendarState } from '@parley/rules/invitations/invitation-changes'
import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import type { Exceptions, RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import type { StoredPhoto, TextAuthors } from '../../migrations/column-values.ts'
import type { Fragment, Parameter, RowOf } from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'

/** A meeting with its people, as the statements of this module read it. */
export type MeetingRow = MeetingTexts & {
  id: string
  code: string
  modifiedBy: string
  /** The author of the last version of each text. */
  textAuthors: TextAuthors
  startsAt: Date
  endsAt: Date
  timeZone: string
  timeZoneIana: string
  rule: RecurrenceRule
  endsBy: Date | null
  options: AdvancedOptions
  sealedSecrets: Buffer
  version: number
  sequence: number
  /** The SEQUENCE at which what calendars show last changed. */
  stateSequence: number
  reminderMinutes: number | null
  /**
   * The address that receives the answers of calendar programs, as configured when the meeting was created; null: the
   * host's own.
   */
  replyAddress: string | null
  invitationMailed: boolean
  reminderMailed: boolean
  cancellationMailed: boolean
  cancelledAt: Date | null
  createdAt: Date
  modifiedAt: Date
  host: HostRow
  /** In the order of the request. */
  people: readonly PersonRow[]
}

type HostRow = Omit<ParticipantAccount, 'createdAt'> & {
  tenantId: string
  email: string
  roomId: string
  createdAt: Date
}

export type PersonRow = {
  email: string
  addressKey: string
  /** What the host calls them; empty for no name. */
  displayName: string
  invited: boolean
  cohost: boolean
  response: InvitationResponse | null
  /** What they wrote with it; kept also when the response is reset. */
  responseComment: string | null
  /** A timestamp as text: when the host last asked for an answer. */
  askedAt: string | null
  /** A timestamp as text, because the row is JSON. */
  mailFailedAt: string | null
  /** A timestamp as text: until when the daily limits delay emails. */
  mailDelayedUntil: string | null
  /** Null where there is none, or its address is unverified. Views show it to callers of its organisation. */
  account: ParticipantAccount | null
}

/** `createdAt` is text, because the row is JSON. */
export type ParticipantAccount = {
  id: string
  tenantId: string
  name: string
  lname: string
  phoneNo: string
  createdAt: string
  photo: StoredPhoto | null
}

/** The types of `meetingColumns`. The host's columns are beside the meeting's, which costs less than nested JSON. */
export const meetingTypes = {
  ...pick(tables.account, 'id', 'timeZone', 'sealedSecrets', 'createdAt', 'modifiedAt'),
  code: 'text',
  modifiedBy: 'uuid',
  ...pick(tables.meeting, ...meetingTextNames),
  textAuthors: typed<TextAuthors>('jsonb'),
  startsAt: tables.participant.startsAt,
  endsAt: 'timestamptz',
  timeZoneIana: 'text',
  rule: typed<RecurrenceRule>('jsonb'),
  endsBy: 'timestamptz?',
  options: typed<AdvancedOptions>('jsonb'),
  version: 'integer',
  sequence: 'integer',
  stateSequence: 'integer',
  reminderMinutes: 'integer?',
  replyAddress: 'text?',
  invitationMailed: 'boolean',
  reminderMailed: 'boolean',
  cancellationMailed: 'boolean',
  cancelledAt: 'timestamptz?',
  hostId: 'uuid',
  hostTenantId: 'uuid',
  hostEmail: 'text',
  hostRoomId: 'uuid',
  hostName: 'text',
  hostLname: 'text',
  hostPhoneNo: 'text',
  hostCreatedAt: 'timestamptz',
  hostPhoto: tables.account.photo,
  people: typed<readonly WrittenPerson[]>('json'),
} as const

/**
 * A person as JSON holds them. An array, because PostgreSQL and JavaScript take half the time that an object with these
 * names would.
 */
type WrittenPerson = readonly [
  email: string,
  /** Null where it is the same as the address. */
  addressKey: string | null,
  displayName: string,
  invited: boolean,
  cohost: boolean,
  response: InvitationResponse | null,
  responseComment: string | null,
  askedAt: string | null,
  mailFailedAt: string | null,
  mailDelayedUntil: string | null,
  account: WrittenAccount | null,
]

type WrittenAccount = readonly [
  id: string,
  tenantId: string,
  name: string,
  lname: string,
  phoneNo: string,
  createdAt: string,
  photo: StoredPhoto | null,
]

const hostColumns = sql`h.id as host_id, h.tenant_id as host_tenant_id, h.email as host_email, h.room_id as host_room_id,
  h.name as host_name, h.lname as host_lname, h.phone_no as host_phone_no, h.created_at as host_created_at,
  h.photo as host_photo`

/** `namesEveryAddress`: whether accounts behind unverified addresses are named (trusted-address.ts). */
type PeopleParameters = { namesEveryAddress: Parameter }

/** The account of a person whose address is `emailKey`. */
const namedAccount = (emailKey: Fragment, p: PeopleParameters) =>
  sql`a.email_key = ${emailKey} and (a.email_verified_at is not null or ${p.namesEveryAddress})`

/** The column of `WrittenPerson`s. */
const peopleJson = (
  p: PeopleParameters,
  participants: Fragment,
) => sql`(select coalesce(json_agg(json_build_array(p.email, nullif(p.email_key, p.email), p.display_name, p.invited, p.cohost,
    p.response, p.response_comment, p.asked_at, p.mail_failed_at, p.mail_delayed_until,
    case when a.id is not null then json_build_array(a.id, a.tenant_id, a.name, a.lname, a.phone_no, a.created_at, a.photo) end)
    order by p.position), '[]')
  from ${participants} p left join account a on ${namedAccount(sql`p.email_key`, p)} where p.meeting_id = m.id)`

function personOf([email, addressKey, displayName, invited, cohost, response, ...more]: WrittenPerson): PersonRow {
  const [responseComment, askedAt, mailFailedAt, mailDelayedUntil, account] = more
  return {
    email,
    addressKey: addressKey ?? email,
    displayName,
    invited,
    cohost,
    response,
    responseComment,
    askedAt,
    mailFailedAt,
    mailDelayedUntil,
    account: account && accountOf(account),
  }
}

const accountOf = ([id, tenantId, name, lname, phoneNo, createdAt, photo]: WrittenAccount): ParticipantAccount => ({
  id,
  tenantId,
  name,
  lname,
  phoneNo,
  createdAt,
  photo,
})

/** The columns of the texts of the row `m`, a table or its alias. */
export const textColumns = (m: Fragment) => sql.join(meetingTextNames.map((name) => sql`${m}.${sql.raw(name)}`))

/** The bytes of a meeting's texts, which count towards its host's quota. `textOf` has the column or the value of each. */
export const textBytesColumn = (textOf: (name: MeetingText) => Fragment | Parameter) =>
  sql`(${sql.join(
    meetingTextNames.map((name) => sql`octet_length(${textOf(name)})`),
    sql` + `,
  )})`

/** `m` is the meeting, `h` its host's account. A statement that inserts the people names them as `participants`. */
export const meetingColumns = (p: PeopleParameters, participants = sql`participant`) => sql`m.id, m.code, m.modified_by,
  ${textColumns(sql`m`)}, m.text_authors, m.starts_at, m.ends_at, m.time_zone,
  m.time_zone_iana, m.recurrence as rule, m.ends_by, m.options,
  m.sealed_secrets, m.version, m.sequence, m.state_sequence,
  m.reminder_minutes, m.reply_address,
  m.invitation_mailed, m.reminder_mailed,
  m.cancellation_mailed, m.cancelled_at, m.created_at,
  m.modified_at, ${hostColumns}, ${peopleJson(p, participants)} as people`

export function meetingRowOf(columns: RowOf<typeof meetingTypes>): MeetingRow {
  const host = {
    id: columns.hostId,
    tenantId: columns.hostTenantId,
    email: columns.hostEmail,
    roomId: columns.hostRoomId,
    name: columns.hostName,
    lname: columns.hostLname,
    phoneNo: columns.hostPhoneNo,
    createdAt: columns.hostCreatedAt,
    photo: columns.hostPhoto,
  }
  return { ...columns, host, people: columns.people.map(personOf) }
}

/** The schedule of a meeting, or of its planned change. */
export type ScheduleRow = Pick<MeetingRow, 'startsAt' | 'endsAt' | 'timeZoneIana' | 'rule' | 'endsBy'>

/** The content of a meeting that calendars show, except its code and PIN. */
export const calendarStateOf = (
  row: ScheduleRow & MeetingTexts,
  exceptions: Exceptions,
): Omit<CalendarState, 'code' | 'pin'> => ({
  ...mapTexts((name) => row[name]),
  series: seriesOf(row, exceptions),
})
