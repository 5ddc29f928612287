import type { OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { usePerson } from '../../session/session.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { statusOf } from '../meeting-status.ts'
import { DateMenu } from './DateMenu.tsx'
import { RestoreDateButton } from './RestoreDateButton.tsx'

const clockEveryMs = 60_000

type DateActionsProps = { meeting: SingleMeetingReply; etag: string; occurrence: OccurrenceReply }

/** What a host can do with one date of a series; nothing with one that is over, or of a cancelled series. */
export function DateActions({ meeting, etag, occurrence }: DateActionsProps) {
  const now = useNow(clockEveryMs)
  const mayChange = statusOf(usePerson(), meeting) !== 'participant' && meeting.status === 'active'
  if (!mayChange || new Date(occurrence.endTime) <= now) return null
  return occurrence.status === 'cancelled' ? (
    <RestoreDateButton meetingId={meeting._id} occurrence={occurrence} />
  ) : (
    <DateMenu meeting={meeting} etag={etag} occurrence={occurrence} />
  )
}
