import type { LetterKind } from '@parley/rules/invitation-changes'

export type InvitationTables = {
  meetingNotice: MeetingNoticeTable
  meetingLetter: MeetingLetterTable
  meetingReminder: { meetingId: string; occurrence: Date; dueAt: Date }
}

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
  kind: LetterKind
  sentAt: Date | null
  failedAt: Date | null
}
