import type { CalendarState } from '@parley/rules/invitations/invitation-changes'
import type { Series } from '@parley/rules/recurrence/recurrence'
import type { SealedBox } from '../../platform/sealed-box.ts'

/** A meeting as it is mailed. */
export type MeetingState = CalendarState & {
  /** Local dates of cancellations that were dropped, so that a mail can say which of them take place again. */
  droppedDates: readonly string[]
}

const purpose = 'meeting state'
/** Of what the last release kept, which has the same form. */
const formerPurpose = 'meeting notice'

/** Bound to its row (docs/decisions/0050). */
const ownerOf = ({ meetingId, sequence }: { meetingId: string; sequence: number }) => `${meetingId} ${sequence}`

export const sealState = (
  box: SealedBox,
  row: { meetingId: string; sequence: number },
  { topic, description, code, pin, series, droppedDates }: MeetingState,
): Buffer => box.seal(JSON.stringify({ topic, description, code, pin, series, droppedDates }), purpose, ownerOf(row))

export type SealedState = {
  meetingId: string
  sequence: number
  sealedContent: Buffer
  /** The row of the last release that it was copied from. */
  noticeId: string | null
}

export function openState(box: SealedBox, row: SealedState): MeetingState {
  const { sealedContent, noticeId } = row
  const opened =
    noticeId === null
      ? box.open(sealedContent, purpose, ownerOf(row))
      : box.open(sealedContent, formerPurpose, noticeId)
  // Only `sealState` writes these, and the last release did.
  const { topic, description, code, pin, series, droppedDates = [] } = JSON.parse(opened)
  return { topic, description, code, pin, series: readSeries(series), droppedDates }
}

/** As JSON writes them. */
type WrittenSeries = Omit<Series, 'startsAt' | 'endsBy' | 'excluded'> & {
  startsAt: string
  endsBy: string | null
  excluded: string[]
}

const readSeries = ({ startsAt, endsBy, excluded, ...rest }: WrittenSeries): Series => ({
  ...rest,
  startsAt: new Date(startsAt),
  endsBy: endsBy === null ? null : new Date(endsBy),
  excluded: excluded.map((date) => new Date(date)),
})

/** The date that a reminder of the last release is about. */
export function openReminderDate(
  box: SealedBox,
  { noticeId, sealedContent }: { noticeId: string; sealedContent: Buffer },
): Date | undefined {
  const { date } = JSON.parse(box.open(sealedContent, formerPurpose, noticeId))
  return typeof date === 'string' ? new Date(date) : undefined
}
