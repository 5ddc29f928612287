import type { Generated } from 'kysely'

export type RoomTables = {
  room: RoomTable
  admission: AdmissionTable
  roomSession: { id: string; meetingId: string; startedAt: Date; endedAt: Generated<Date | null> }
  roomStay: StayTable
  mediaEngine: MediaEngineTable
  addedMeeting: { accountId: string; meetingId: string; addedAt: Date }
}

type RoomTable = {
  meetingId: string
  lockedAt: Generated<Date | null>
  endedAt: Generated<Date | null>
  asksNewGuestsSince: Generated<Date | null>
  /** The start of the date to which it applies. */
  asksNewGuestsFor: Generated<Date | null>
}

type AdmissionTable = {
  id: string
  meetingId: string
  accountId: string | null
  guestHash: Buffer | null
  /** The grant of the app through which the person joined; null: they joined themselves. */
  grantId: Generated<string | null>
  name: string
  role: 'host' | 'cohost' | 'participant'
  state: 'waiting_for_host' | 'waiting' | 'admitted' | 'denied'
  askedAt: Date
  occurrenceAt: Date
  seenAt: Date
  grantedRole: Generated<'host' | 'cohost' | null>
  hardMuted: Generated<boolean>
  unmuteAskedAt: Generated<Date | null>
  decidedAt: Date | null
  enteredAt: Generated<Date | null>
  leftAt: Generated<Date | null>
}

type MediaEngineTable = {
  singleton: Generated<boolean>
  /** Empty: it is not running. */
  address: string
  machine: string
}

type StayTable = {
  id: string
  sessionId: string
  meetingId: string
  admissionId: string
  accountId: string | null
  name: string
  role: 'host' | 'cohost' | 'participant'
  participantSid: string
  joinedAt: Date
  leftAt: Date | null
}
