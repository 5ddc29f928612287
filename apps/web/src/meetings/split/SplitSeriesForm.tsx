import { Alert, Button } from '@mantine/core'
import { ProblemError } from '@parley/client'
import { type SingleMeetingReply, splitMeeting } from '@parley/contract'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactElement, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { usePerson } from '../../session/session.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { showToast } from '../../ui/toast.ts'
import { timeZonesQuery, zoneIdOf } from '../schedule/fields/time-zones.ts'
import { MeetingFormLayout } from '../schedule/MeetingFormLayout.tsx'
import type { MeetingDraft } from '../schedule/meeting-draft.ts'
import { draftKeeper } from '../schedule/saved-draft.ts'
import { useMeetingForm } from '../schedule/use-meeting-form.ts'
import { splitDraft, splitRequest } from './split-request.ts'

type SplitSeriesFormProps = {
  meeting: SingleMeetingReply
  etag: string
  /** The original start of the first date to change. */
  occurrence: string
  countBefore: number
}

const clockEveryMs = 60_000

/** The form that changes this and all following dates of a series. They become a meeting of their own. */
export function SplitSeriesForm({ meeting, etag, occurrence, countBefore }: SplitSeriesFormProps): ReactElement {
  const { t } = useTranslation(['occurrence', 'schedule', 'app'])
  const person = usePerson()
  const now = useNow(clockEveryMs)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: codes } = useSuspenseQuery(timeZonesQuery)
  const meetingId = meeting._id
  const keeper = useMemo(
    () => draftKeeper(person._id, `${meetingId} ${occurrence}`),
    [person._id, meetingId, occurrence],
  )
  const [start] = useState(() => splitDraft(meeting, { occurrence, countBefore }))
  const used = useMeetingForm({ start, codes, keeper, etag })

  const split = useMutation({
    mutationFn: (draft: MeetingDraft) =>
      client.call(splitMeeting, {
        params: { meetingId },
        body: splitRequest(draft, { was: start, occurrence, zoneId: zoneIdOf(draft.timeZone, codes) }),
        query: { sendUpdates: draft.tellsParticipants ? 'all' : 'none' },
        ifMatch: etag,
      }),
    onSuccess: async ({ _id, topic }) => {
      keeper.clear()
      await queryClient.invalidateQueries({ queryKey: ['meetings'] })
      showToast({ message: t('split.done', { topic }) })
      await navigate({ to: '/meetings/$meetingId', params: { meetingId: _id } })
    },
    onError: (error) => {
      used.showErrors(error)
      return queryClient.invalidateQueries({ queryKey: ['meetings'] })
    },
  })
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
      <MeetingFormLayout
        used={used}
        codes={codes}
        profileTimeZone={person.timeZone}
        now={now}
        splits={meeting}
        submit={t('app:saveChanges')}
        notifyLabel={t('schedule:tellsOfChange')}
        error={cannotSplit(split.error) ? null : split.error}
        isBusy={split.isPending}
        cancel={
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/meetings/$meetingId" params={{ meetingId }} {...props} />}
            onClick={keeper.clear}
          >
            {t('schedule:discard')}
          </Button>
        }
        onSubmit={(draft) => split.mutate(draft)}
      />
    </>
  )
}

/** The date has begun or is gone since the form was opened. */
const cannotSplit = (error: unknown) =>
  error instanceof ProblemError && error.problem.errors?.some(({ path }) => path === '/occurrence') === true
