import { Button } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { IconCalendarX, IconLock } from '@tabler/icons-react'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactElement, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { usePerson } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { Page } from '../../ui/Page.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { EmptyState } from '../../ui/Rows.tsx'
import { showToast } from '../../ui/toast.ts'
import { messageOf } from '../GuestMessageField.tsx'
import { useUpdateMeeting } from '../meeting-mutations.ts'
import { meetingQuery, meetingSnapshotQuery } from '../meeting-queries.ts'
import { statusOf } from '../meeting-status.ts'
import { MeetingFormLayout } from './MeetingForm.tsx'
import { DiscardButton, isStale, MeetingFormProvider, useMeetingForm } from './MeetingFormContext.tsx'
import { draftOf, type MeetingDraft, toMeetingRequest } from './meeting-draft.ts'
import { SplitSeriesPart } from './SplitSeriesForm.tsx'
import { draftKeeper } from './saved-draft.ts'
import { timeZonesQuery, zoneIdOf } from './time-zones.ts'
import { VersionsDialog } from './VersionsDialog.tsx'

const clockEveryMs = 60_000

/** Edit a scheduled meeting. */
export function EditMeetingPage(): ReactElement {
  const { t } = useTranslation(['schedule', 'occurrence'])
  const { meetingId } = useParams({ from: '/signed-in/meetings/$meetingId/edit' })
  const { from, start, end } = useSearch({ from: '/signed-in/meetings/$meetingId/edit' })
  const person = usePerson()
  const now = useNow(clockEveryMs)
  const { data, error } = useQuery(meetingSnapshotQuery(meetingId, 'edited'))
  const dates = useDates(data?.meeting.repeatOptions.timeZoneIana)
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
  const { topic } = meeting
  // Says which dates of a series change.
  const title =
    from !== undefined
      ? t('occurrence:split.title', { date: dates.dayNear(from, now) })
      : meeting.recur
        ? t('editSeriesTitle', { topic })
        : t('editTitle')
  const mayChange = statusOf(person, meeting) !== 'participant'
  return (
    <Page title={title}>
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

type Version = { meeting: SingleMeetingReply; etag: string }
type ProposedTimes = { startTime: string; endTime: string }

/** The form that edits a meeting. The request is conditional on the version that the user saw (RFC 9110, 13.1.1). */
function EditMeetingForm({ meeting, etag, proposed }: Version & { proposed?: ProposedTimes }): ReactElement {
  const { t } = useTranslation(['schedule', 'app'])
  const person = usePerson()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: codes } = useSuspenseQuery(timeZonesQuery)
  const [base, setBase] = useState<Version>({ meeting, etag })
  const [theirs, setTheirs] = useState<Version>()
  const meetingId = meeting._id
  // Other input that was not sent must not hide the proposed times.
  const draftName = proposed === undefined ? meetingId : `${meetingId} ${proposed.startTime} ${proposed.endTime}`
  const keeper = useMemo(() => draftKeeper(person._id, draftName), [person._id, draftName])
  const [times] = useState(proposed)
  const start = useMemo(
    () => draftOf(times === undefined ? base.meeting : withTimes(base.meeting, times)),
    [base, times],
  )
  const {
    form,
    etag: draftEtag,
    startAnew,
    replace,
    showErrors,
  } = useMeetingForm({ start, codes, keeper, etag: base.etag })

  const change = useUpdateMeeting({
    onSaved: keeper.clear,
    onRefreshed: async ({ topic }) => {
      showToast({ message: t('changed', { topic }) })
      await navigate({ to: '/meetings/$meetingId', params: { meetingId } })
    },
    onError: async (error) => {
      if (isStale(error)) setTheirs(await queryClient.fetchQuery({ ...meetingQuery(meetingId), staleTime: 0 }))
      else {
        // What the form shows is what has to be corrected.
        setTheirs(undefined)
        showErrors(error)
      }
    },
  })
  const save = (draft: MeetingDraft, ifMatch: string) =>
    change.mutate({
      meetingId,
      body: {
        ...toMeetingRequest(draft, zoneIdOf(draft.timeZone, codes), base.meeting),
        ...messageOf(draft.message, draft.tellsParticipants),
      },
      sendUpdates: draft.tellsParticipants ? 'all' : 'none',
      ifMatch,
    })
  const takeTheirs = (version: Version) => {
    replace(draftOf(version.meeting))
    setBase(version)
    setTheirs(undefined)
    change.reset()
  }
  return (
    <>
      <MeetingFormProvider form={form}>
        <MeetingFormLayout
          startAnew={startAnew}
          was={base.meeting}
          submit={t('app:saveChanges')}
          notifiesAbout="change"
          error={isStale(change.error) ? null : change.error}
          isBusy={change.isPending}
          cancel={
            <DiscardButton
              keeper={keeper}
              renderRoot={(props) => <Link to="/meetings/$meetingId" params={{ meetingId }} {...props} />}
            />
          }
          onSubmit={(draft) => save(draft, draftEtag ?? base.etag)}
        />
      </MeetingFormProvider>
      {theirs !== undefined && (
        <VersionsDialog
          mine={form.values}
          theirs={draftOf(theirs.meeting)}
          changedAt={theirs.meeting.modifiedOn}
          codes={codes}
          isBusy={change.isPending}
          onKeepMine={() => save(form.values, theirs.etag)}
          onTakeTheirs={() => takeTheirs(theirs)}
          onClose={() => setTheirs(undefined)}
        />
      )}
    </>
  )
}

const withTimes = (meeting: SingleMeetingReply, { startTime, endTime }: ProposedTimes): SingleMeetingReply => ({
  ...meeting,
  startTime,
  scheduledDuration: Date.parse(endTime) - Date.parse(startTime),
})
