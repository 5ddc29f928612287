import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import type { Generated } from 'kysely'

export type InvitationTables = {
  blockedSender: { accountId: string; senderId: string; blockedAt: Date }
  guestDelivery: GuestDeliveryTable
  guestMail: GuestMailTable
  meetingState: MeetingStateTable
  meetingReminder: { meetingId: string; occurrence: Date; dueAt: Date }
  quietInvitation: { accountId: string; invitedAt: Date; people: number }
  replyGeneration: { meetingId: string; emailKey: string; generation: Generated<number> }
  stoppedReminder: { meetingId: string; emailKey: string; stoppedAt: Date }
  meetingNotice: MeetingNoticeTable
  meetingLetter: MeetingLetterTable
}

type MeetingStateTable = {
  meetingId: string
  sequence: number
  sealedContent: Buffer
  createdAt: Date
  noticeId: string | null
}

type GuestDeliveryTable = {
  meetingId: string
  emailKey: string
  email: string
  heldSequence: number | null
  pending: Generated<boolean>
  revision: Generated<number>
  senderId: string | null
  wantedAt: Date | null
  reminderFor: Date | null
  reminderId: string | null
  lastMailAt: Date | null
  waitUntil: Date | null
  failingSince: Date | null
  jobId: string | number | null
  unreported: InvitationEmailKind | null
  resend: Generated<boolean>
  invitedBy: string | null
  reminderSenderId: string | null
  reminderWantedAt: Date | null
}

type GuestMailTable = {
  meetingId: string
  emailKey: string
  id: string
  kind: InvitationEmailKind
  sequence: number
  stateSequence: number
  date: Date | null
  senderId: string | null
  startedAt: Date
  sentAt: Date | null
  outcome: 'unknown' | 'sent' | 'superseded'
}

/** A table of the previous release, whose queued jobs refer to its rows. */
type MeetingNoticeTable = {
  id: string
  meetingId: string
  sequence: number
  actorId: string | null
  letters: number
  sealedContent: Buffer
  createdAt: Date
}

type MeetingLetterTable = {
  meetingId: string
  emailKey: string
  noticeId: string
  email: string
  kind: InvitationEmailKind
  sentAt: Date | null
  failedAt: Date | null
}
