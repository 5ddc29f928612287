import { Alert } from '@mantine/core'
import { ProblemError } from '@parley/client'
import type { SingleMeetingReply } from '@parley/contract'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactElement, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { usePerson } from '../../session/session.ts'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { showToast } from '../../ui/toast.ts'
import { messageOf } from '../GuestMessageField.tsx'
import { useSplitMeeting } from '../meeting-mutations.ts'
import { datesBeforeQuery, meetingQuery } from '../meeting-queries.ts'
import { MeetingFormLayout } from './MeetingForm.tsx'
import { DiscardButton, isStale, MeetingFormProvider, useMeetingForm } from './MeetingFormContext.tsx'
import type { MeetingDraft } from './meeting-draft.ts'
import { draftKeeper } from './saved-draft.ts'
import { splitDraft, splitRequest } from './series-draft.ts'
import { timeZonesQuery, zoneIdOf } from './time-zones.ts'
import { VersionsDialog } from './VersionsDialog.tsx'

type SplitSeriesPartProps = { meeting: SingleMeetingReply; etag: string; occurrence: string }

/** The form of this and all following dates, once it is known how many dates the series has before. */
export function SplitSeriesPart({ meeting, etag, occurrence }: SplitSeriesPartProps) {
  const { data, error } = useQuery(datesBeforeQuery(meeting, occurrence))
  if (data === undefined) return error === null ? <PageSkeleton /> : <ProblemAlert error={error} />
  return <SplitSeriesForm meeting={meeting} etag={etag} occurrence={occurrence} countBefore={data.count} />
}

type Version = { meeting: SingleMeetingReply; etag: string; countBefore: number }

type SplitSeriesFormProps = Version & {
  /** The original start of the first date to change. */
  occurrence: string
}

/** The form that changes this and all following dates of a series. They become a meeting of their own. */
function SplitSeriesForm({ meeting, etag, occurrence, countBefore }: SplitSeriesFormProps): ReactElement {
  const { t } = useTranslation(['occurrence', 'schedule', 'app'])
  const person = usePerson()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: codes } = useSuspenseQuery(timeZonesQuery)
  const meetingId = meeting._id
  const keeper = useMemo(
    () => draftKeeper(person._id, `${meetingId} ${occurrence}`),
    [person._id, meetingId, occurrence],
  )
  const [base, setBase] = useState<Version>({ meeting, etag, countBefore })
  const [theirs, setTheirs] = useState<Version>()
  const draftOfVersion = (version: Version) => splitDraft(version.meeting, { ...version, occurrence })
  const start = useMemo(() => splitDraft(base.meeting, { ...base, occurrence }), [base, occurrence])
  const {
    form,
    etag: draftEtag,
    startAnew,
    replace,
    showErrors,
  } = useMeetingForm({ start, codes, keeper, etag: base.etag })

  const readVersion = async (): Promise<Version> => {
    const read = await queryClient.fetchQuery({ ...meetingQuery(meetingId), staleTime: 0 })
    const before = await queryClient.fetchQuery({ ...datesBeforeQuery(read.meeting, occurrence), staleTime: 0 })
    return { ...read, countBefore: before.count }
  }
  const split = useSplitMeeting({
    onSaved: keeper.clear,
    onRefreshed: async ({ _id, topic }) => {
      showToast({ message: t('split.done', { topic }) })
      await navigate({ to: '/meetings/$meetingId', params: { meetingId: _id } })
    },
    onError: async (error) => {
      if (isStale(error)) setTheirs(await readVersion())
      else {
        // What the form shows is what has to be corrected.
        setTheirs(undefined)
        showErrors(error)
      }
    },
  })
  const save = (draft: MeetingDraft, was: MeetingDraft, ifMatch: string) =>
    split.mutate({
      meetingId,
      body: {
        ...splitRequest(draft, { was, occurrence, zoneId: zoneIdOf(draft.timeZone, codes) }),
        ...messageOf(draft.message, draft.tellsParticipants),
      },
      sendUpdates: draft.tellsParticipants ? 'all' : 'none',
      ifMatch,
    })
  const takeTheirs = (version: Version) => {
    replace(draftOfVersion(version))
    setBase(version)
    setTheirs(undefined)
    split.reset()
  }
  return (
    <>
      <Alert mb="lg" icon={<IconArrowsSplit2 aria-hidden />} maw="72rem">
        {t('split.explanation')}
      </Alert>
      {cannotSplit(split.error) && (
        <Alert color="red" mb="lg" role="alert" maw="72rem">
          {t('split.notHere')}
        </Alert>
      )}
      <MeetingFormProvider form={form}>
        <MeetingFormLayout
          startAnew={startAnew}
          splits={base.meeting}
          submit={t('app:saveChanges')}
          notifiesAbout="change"
          error={cannotSplit(split.error) || isStale(split.error) ? null : split.error}
          isBusy={split.isPending}
          cancel={
            <DiscardButton
              keeper={keeper}
              renderRoot={(props) => <Link to="/meetings/$meetingId" params={{ meetingId }} {...props} />}
            />
          }
          onSubmit={(draft) => save(draft, start, draftEtag ?? base.etag)}
        />
      </MeetingFormProvider>
      {theirs !== undefined && (
        <VersionsDialog
          mine={form.values}
          theirs={draftOfVersion(theirs)}
          changedAt={theirs.meeting.modifiedOn}
          codes={codes}
          isBusy={split.isPending}
          onKeepMine={() => save(form.values, draftOfVersion(theirs), theirs.etag)}
          onTakeTheirs={() => takeTheirs(theirs)}
          onClose={() => setTheirs(undefined)}
        />
      )}
    </>
  )
}

/** The date has begun or is gone since the form was opened. */
const cannotSplit = (error: unknown) =>
  error instanceof ProblemError && error.problem.errors?.some(({ path }) => path === '/occurrence') === true
