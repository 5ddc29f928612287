import type { CalendarState } from '@parley/rules/invitations/invitation-changes'
import type { OccurrenceChange, Series } from '@parley/rules/recurrence/recurrence'
import type { Encryption } from '../../platform/encryption.ts'

/** A meeting as mails show it. */
export type MeetingState = CalendarState & {
  /** Local dates of dropped cancellations, so that a mail can list those that take place again. */
  droppedDates: readonly string[]
}

const purpose = 'meeting state'
/** The purpose under which the previous release encrypted the same form. */
const formerPurpose = 'meeting notice'

/** Bound to its row (docs/decisions/0050). */
const ownerOf = ({ meetingId, sequence }: { meetingId: string; sequence: number }) => `${meetingId} ${sequence}`

export const encryptState = (
  encryption: Encryption,
  row: { meetingId: string; sequence: number },
  { topic, description, code, pin, series, droppedDates }: MeetingState,
): Buffer =>
  encryption.encrypt(JSON.stringify({ topic, description, code, pin, series, droppedDates }), purpose, ownerOf(row))

export type EncryptedState = {
  meetingId: string
  sequence: number
  encryptedContent: Buffer
  /** The row of the previous release that it was copied from. */
  noticeId: string | null
}

export function decryptState(encryption: Encryption, row: EncryptedState): MeetingState {
  const { encryptedContent, noticeId } = row
  const opened =
    noticeId === null
      ? encryption.decrypt(encryptedContent, purpose, ownerOf(row))
      : encryption.decrypt(encryptedContent, formerPurpose, noticeId)
  // Written by `encryptState` and by the previous release only.
  const { topic, description, code, pin, series, droppedDates = [] } = JSON.parse(opened)
  return { topic, description, code, pin, series: readSeries(series), droppedDates }
}

/** As stored in JSON. */
type WrittenSeries = Omit<Series, 'startsAt' | 'endsBy' | 'excluded' | 'changed'> & {
  startsAt: string
  endsBy: string | null
  excluded: string[]
  /** Absent from states that the previous release wrote. */
  changed?: WrittenChange[]
}

type WrittenChange = Omit<OccurrenceChange, 'originalStart' | 'times'> & {
  originalStart: string
  times: { startsAt: string; endsAt: string } | null
}

const readSeries = ({ startsAt, endsBy, excluded, changed = [], ...rest }: WrittenSeries): Series => ({
  ...rest,
  startsAt: new Date(startsAt),
  endsBy: endsBy === null ? null : new Date(endsBy),
  excluded: excluded.map((date) => new Date(date)),
  changed: changed.map(({ originalStart, times, ...texts }) => ({
    ...texts,
    originalStart: new Date(originalStart),
    times: times && { startsAt: new Date(times.startsAt), endsAt: new Date(times.endsAt) },
  })),
})

/** The date of a reminder of the previous release. */
export function decryptReminderDate(
  encryption: Encryption,
  { noticeId, encryptedContent }: { noticeId: string; encryptedContent: Buffer },
): Date | undefined {
  const { date } = JSON.parse(encryption.decrypt(encryptedContent, formerPurpose, noticeId))
  return typeof date === 'string' ? new Date(date) : undefined
}
