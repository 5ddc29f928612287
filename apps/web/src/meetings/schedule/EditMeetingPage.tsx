import { Button } from '@mantine/core'
import { IconCalendarX, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { usePerson } from '../../session/session.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { meetingQuery } from '../meeting-queries.ts'
import { statusOf } from '../meeting-status.ts'
import { SplitSeriesPart } from '../split/SplitSeriesPart.tsx'
import { EditMeetingForm } from './EditMeetingForm.tsx'

/** Refetched when the page opens and not while the user types: a change in between is answered with 412. */
const editedQuery = (meetingId: string) => ({
  ...meetingQuery(meetingId),
  queryKey: [...meetingQuery(meetingId).queryKey, 'edited'],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
})

/** Edit a scheduled meeting. */
export function EditMeetingPage(): ReactElement {
  const { t } = useTranslation(['schedule', 'occurrence'])
  const { meetingId } = useParams({ from: '/house/meetings/$meetingId/edit' })
  const { from, start, end } = useSearch({ from: '/house/meetings/$meetingId/edit' })
  const person = usePerson()
  const { data, error } = useQuery(editedQuery(meetingId))
  if (data === undefined && error === null) return <PageSkeleton />
  if (data === undefined) {
    return (
      <Page title={t('editTitle')}>
        <ProblemAlert error={error} />
      </Page>
    )
  }
  const { meeting, etag } = data
  const back = (
    <Button renderRoot={(props) => <Link to="/meetings/$meetingId" params={{ meetingId }} {...props} />}>
      {t('toMeeting')}
    </Button>
  )
  const isCancelled = meeting.status === 'cancelled'
  const mayChange = statusOf(person, meeting) !== 'participant'
  return (
    <Page title={t(from === undefined ? 'editTitle' : 'occurrence:split.title')}>
      {isCancelled && (
        <EmptyState
          icon={<IconCalendarX size={40} />}
          title={t('cancelled.title')}
          explanation={t('cancelled.explanation')}
          action={back}
        />
      )}
      {!isCancelled && !mayChange && (
        <EmptyState
          icon={<IconLock size={40} />}
          title={t('notYours.title')}
          explanation={t('notYours.explanation')}
          action={back}
        />
      )}
      {!isCancelled && mayChange && from === undefined && (
        <EditMeetingForm
          meeting={meeting}
          etag={etag}
          {...(start !== undefined && end !== undefined && { proposed: { startTime: start, endTime: end } })}
        />
      )}
      {!isCancelled && mayChange && from !== undefined && (
        <SplitSeriesPart meeting={meeting} etag={etag} occurrence={from} />
      )}
    </Page>
  )
}
