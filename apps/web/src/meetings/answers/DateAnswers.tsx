import type { OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { usePerson } from '../../session/session.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { invitationOf } from '../invitation/invitation-answers.ts'
import { DateAnswerButtons } from './DateAnswerButtons.tsx'
import { DateAnswerCounts } from './DateAnswerCounts.tsx'

const clockEveryMs = 60_000

type DateAnswersProps = { meeting: SingleMeetingReply; occurrence: OccurrenceReply }

/** The answers to one date of a series: a guest's own, with buttons to give it, and to hosts who comes. */
export function DateAnswers({ meeting, occurrence }: DateAnswersProps) {
  const now = useNow(clockEveryMs)
  const isInvited = invitationOf(usePerson(), meeting) !== undefined
  if (occurrence.status === 'cancelled') return null
  const isAhead = meeting.status === 'active' && new Date(occurrence.endTime) > now
  return (
    <>
      {isInvited && isAhead && <DateAnswerButtons meetingId={meeting._id} occurrence={occurrence} />}
      <DateAnswerCounts meeting={meeting} occurrence={occurrence} />
    </>
  )
}
