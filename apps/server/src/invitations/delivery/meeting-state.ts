import { mapTexts } from '@parley/contract/meeting-fields'
import type { CalendarState } from '@parley/rules/invitations/invitation-changes'
import type { OccurrenceChange, Series } from '@parley/rules/recurrence/recurrence'
import type { Encryption } from '../../platform/encryption.ts'

/** A meeting as mails show it. */
export type MeetingState = CalendarState & {
  /** Local dates of dropped cancellations, so that a mail can list those that take place again. */
  droppedDates: readonly string[]
}

const purpose = 'meeting state'

/** Bound to its row (docs/decisions/0050). */
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
  const { series, ...state } = JSON.parse(written)
  // A state that was written before a text existed has it empty, as the meeting had.
  return { ...mapTexts(() => ''), ...state, series: readSeries(series) }
}

/** As stored in JSON. The key `excluded` of the cancelled dates is that of the rows of earlier releases. */
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
