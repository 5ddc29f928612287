import { Button } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../session/session.ts'
import { CancelMeetingButton } from './cancel/CancelMeetingButton.tsx'
import { DuplicateButton } from './DuplicateButton.tsx'
import { JoinButton } from './JoinButton.tsx'
import { isAddedByLink, statusOf } from './meeting-status.ts'
import { RemoveAddedButton } from './RemoveAddedButton.tsx'

/** Join for everyone; edit and cancel for hosts. */
export function MeetingActions({ meeting, etag }: { meeting: SingleMeetingReply; etag: string }) {
  const { t } = useTranslation('meeting')
  const person = usePerson()
  const mayChange = statusOf(person, meeting) !== 'participant'
  const { _id: meetingId, svcMeetId, pin, topic } = meeting
  return (
    <>
      <JoinButton code={svcMeetId} pin={pin} topic={topic} starts={mayChange} />
      {mayChange && (
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/meetings/$meetingId/edit" params={{ meetingId }} {...props} />}
        >
          {t('edit')}
        </Button>
      )}
      {mayChange && <DuplicateButton meetingId={meetingId} label={t('duplicate')} />}
      {isAddedByLink(person, meeting) && <RemoveAddedButton meeting={meeting} />}
      {mayChange && <CancelMeetingButton meeting={meeting} etag={etag} />}
    </>
  )
}
