import type { InvitationResponse, ProfileSettings, SchoolData } from '@parley/contract'
import type { Language } from '@parley/rules/text/language'
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Kysely, Transaction } from 'kysely'
import type { AppTables } from './app-tables.ts'
import type { CalendarTables } from './calendar-tables.ts'
import type { EventTables } from './event-tables.ts'
import type { GrantTables } from './grant-tables.ts'
import type { InvitationTables } from './invitation-tables.ts'
import type { PasskeyTables } from './passkey-tables.ts'
import type { ProviderTables } from './provider-tables.ts'
import type { RoomTables } from './room-tables.ts'
import type { WebhookTables } from './webhook-tables.ts'

/**
 * The row types of the tables that the migrations create, with columns in camelCase, as the database layer returns
 * them.
 */
export type Tables = AppTables &
  CalendarTables &
  EventTables &
  WebhookTables &
  GrantTables &
  InvitationTables &
  PasskeyTables &
  ProviderTables &
  RoomTables & {
    tenant: TenantTable
    account: AccountTable
    auditEntry: AuditEntryTable
    idempotencyKey: IdempotencyKeyTable
    meeting: MeetingTable
    participant: ParticipantTable
    skippedOccurrence: SkippedOccurrenceTable
    changedOccurrence: ChangedOccurrenceTable
    occurrenceResponse: OccurrenceResponseTable
    askedOccurrence: AskedOccurrenceTable
    timeProposal: TimeProposalTable
    undoableCancellation: UndoableCancellationTable
    answerDigest: AnswerDigestTable
    droppedCancellation: DroppedCancellationTable
    handOver: HandOverTable
    hostedMeetingCount: HostedMeetingCountTable
    idempotencyUsage: IdempotencyUsageTable
    session: SessionTable
    personalToken: PersonalTokenTable
    pendingSignUp: PendingSignUpTable
    mailedLink: MailedLinkTable
    signUpInvitation: SignUpInvitationTable
    knownNetwork: KnownNetworkTable
  }

export type Database = Kysely<Tables>
export type Tx = Transaction<Tables>

type TenantTable = { id: string; name: string; createdAt: Date }

type AccountTable = {
  id: string
  tenantId: string
  email: string
  emailKey: string
  emailVerifiedAt: Date | null
  /** Null for people who sign in with a provider or a passkey only. */
  passwordHash: string | null
  passwordChangedAt: Date | null
  name: string
  lname: string
  phoneNo: Generated<string>
  timeZone: Generated<string>
  replyGeneration: Generated<number>
  language: Generated<Language | ''>
  department: Generated<string>
  location: Generated<string>
  avatar: Generated<number>
  settings: JSONColumnType<ProfileSettings>
  schoolData: JSONColumnType<SchoolData>
  roomId: string
  roomCode: string
  sealedSecrets: Buffer
  chatId: string
  chatUserId: string
  administrator: Generated<boolean>
  reviewer: Generated<boolean>
  oauthEnabled: Generated<boolean>
  disabledAt: Date | null
  /** When the owner or an administrator deleted it; the row remains for references to its id. */
  deletedAt: Generated<Date | null>
  handsOverMeetings: Generated<boolean>
  /** When everything but the ids was erased. */
  erasedAt: Generated<Date | null>
  appTokensEndedAt: Generated<Date | null>
  createdAt: Date
  modifiedAt: Date
}

type AuditEntryTable = {
  id: string
  tenantId: string
  actorId: string | null
  subjectId: string | null
  action: string
  detail: JSONColumnType<object>
  address: string
  createdAt: Date
}

type IdempotencyUsageTable = { accountId: string; since: Date; storedBytes: number }

type IdempotencyKeyTable = {
  accountId: string
  endpoint: string
  key: string
  requestHash: Buffer
  sealedAnswer: Buffer
  createdAt: Date
}

type MeetingTable = {
  id: string
  code: string
  hostId: string
  modifiedBy: string
  topic: string
  description: string
  startsAt: Date
  endsAt: Date
  timeZone: string
  timeZoneIana: string
  recurrence: JSONColumnType<object>
  recurring: GeneratedAlways<boolean>
  /** The start of the last occurrence; infinity for a series without an end. */
  lastStartsAt: GeneratedAlways<Date | number>
  endsBy: Date | null
  /** Infinity (a number): the series has no end. */
  overAt: ColumnType<Date | number, Date | 'infinity', Date | 'infinity'>
  options: JSONColumnType<object>
  sealedSecrets: Buffer
  version: number
  sequence: Generated<number>
  /** The SEQUENCE of the last change that calendars show; null: the same as the meeting's. */
  stateSequence: Generated<number | null>
  reminderMinutes: number | null
  replyAddress: Generated<string | null>
  textAuthors: Generated<object | null>
  /** The SEQUENCE at which guests were last asked: those of lower ones were asked about another time. */
  askedSequence: Generated<number>
  invitationMailed: Generated<boolean>
  reminderMailed: Generated<boolean>
  cancellationMailed: Generated<boolean>
  appId: Generated<string | null>
  /** The meeting whose series this one continues. */
  continues: Generated<string | null>
  /** The original start in that series from which it does. */
  continuedFrom: Generated<Date | null>
  cancelledAt: Date | null
  createdAt: Date
  modifiedAt: Date
}

type ParticipantTable = {
  meetingId: string
  emailKey: string
  email: string
  position: number
  invited: boolean
  cohost: boolean
  startsAt: Date
  meetingCancelled: Generated<boolean>
  /** Whether the person has blocked the host. */
  blocked: Generated<boolean>
  meetingRecurring: Generated<boolean>
  response: Generated<InvitationResponse | null>
  /** When the last response was given, also one that was reset. */
  respondedAt: Generated<Date | null>
  responseComment: Generated<string | null>
  /** By the clock of this service. */
  responseRecordedAt: Generated<Date | null>
  mailFailedAt: Generated<Date | null>
  mailDelayedUntil: Generated<Date | null>
}

type SkippedOccurrenceTable = { meetingId: string; startsAt: Date; skippedBy: string; skippedAt: Date }

type ChangedOccurrenceTable = {
  meetingId: string
  originalStart: Date
  startsAt: Date | null
  endsAt: Date | null
  topic: string | null
  description: string | null
  changedBy: string
  changedAt: Date
}

type UndoableCancellationTable = {
  meetingId: string
  cancelledBy: string
  undoableUntil: Date
  version: number
  undoneAt: Date | null
  recurrence: JSONColumnType<object>
  endsBy: Date | null
  overAt: Date
  formerRows: JSONColumnType<object>
}

type OccurrenceResponseTable = {
  meetingId: string
  emailKey: string
  originalStart: Date
  response: InvitationResponse
  respondedAt: Date
  comment: Generated<string | null>
  recordedAt: Generated<Date | null>
}

type AnswerDigestTable = { accountId: string; timeZone: string; dueAt: Date; reportedUntil: Date }

type TimeProposalTable = {
  id: string
  meetingId: string
  emailKey: string
  originalStart: Date | null
  startsAt: Date
  endsAt: Date
  comment: string | null
  proposedAt: Date
  recordedAt: Generated<Date | null>
  dismissedAt: Generated<Date | null>
}

/** An occurrence that was moved, so that its guests are asked again. */
type AskedOccurrenceTable = { meetingId: string; originalStart: Date; askedAt: Date; askedSequence: number }

/** `localDate` is `2030-01-07`. */
type DroppedCancellationTable = { meetingId: string; localDate: string; droppedAt: Date }

type HostedMeetingCountTable = {
  hostId: string
  shard: number
  active: number
  cancelled: number
  participants: Generated<number>
  textBytes: Generated<number>
}

type SessionTable = {
  id: string
  accountId: string
  tokenHash: Buffer
  address: string
  userAgent: string
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
}

type PersonalTokenTable = {
  id: string
  accountId: string
  tokenHash: Buffer
  name: string
  scopes: string[]
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
}

type PendingSignUpTable = {
  tokenHash: Buffer
  accountId: string
  email: string
  emailKey: string
  passwordHash: string
  name: string
  lname: string
  timeZone: string
  language: Language | ''
  mayBeFirst: Generated<boolean>
  createdAt: Date
  expiresAt: Date
}

type MailedLinkTable = {
  tokenHash: Buffer
  accountId: string
  purpose: 'verify-email' | 'reset-password'
  createdAt: Date
  expiresAt: Date
}

type SignUpInvitationTable = {
  tokenHash: Buffer
  emailKey: string
  /** Null: the operator. */
  invitedBy: string | null
  createdAt: Date
  expiresAt: Date
  /** An administrator has read the link, so it does not prove the address. */
  linkShown: Generated<boolean>
}

type KnownNetworkTable = { accountId: string; networkHash: Buffer; lastUsedAt: Date }

type HandOverTable = {
  meetingId: string
  accountId: string
  offeredAt: Date
  expiresAt: Date
  mailedAt: Date | null
  declinedAt: Date | null
}
