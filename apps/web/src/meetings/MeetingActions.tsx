import type { SingleMeetingReply } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../session/session.ts'
import { BlockSenderButton } from './BlockSenderButton.tsx'
import { CancelMeetingButton } from './cancel/CancelMeetingButton.tsx'
import { DuplicateButton } from './DuplicateButton.tsx'
import { EditButton } from './EditButton.tsx'
import { JoinButton } from './JoinButton.tsx'
import { isAddedByLink, isForAdministration, statusOf } from './meeting-status.ts'
import { EditSeriesButton } from './occurrence/EditSeriesButton.tsx'
import { RemoveAddedButton } from './RemoveAddedButton.tsx'

/** Join for everyone; edit and cancel for hosts; block for invited people. */
export function MeetingActions({ meeting, etag }: { meeting: SingleMeetingReply; etag: string }) {
  const { t } = useTranslation('meeting')
  const person = usePerson()
  const mayChange = statusOf(person, meeting) !== 'participant'
  const isAdded = isAddedByLink(person, meeting)
  const { _id: meetingId, svcMeetId, pin, topic } = meeting
  if (isForAdministration(meeting)) return null
  return (
    <>
      <JoinButton code={svcMeetId} pin={pin} topic={topic} starts={mayChange} />
      {mayChange && !meeting.recur && <EditButton meetingId={meetingId} />}
      {mayChange && meeting.recur && <EditSeriesButton meeting={meeting} etag={etag} />}
      {mayChange && <DuplicateButton meetingId={meetingId} label={t('duplicate')} />}
      {isAdded && <RemoveAddedButton meeting={meeting} />}
      {!mayChange && !isAdded && <BlockSenderButton meeting={meeting} />}
      {mayChange && <CancelMeetingButton meeting={meeting} etag={etag} />}
    </>
  )
}
