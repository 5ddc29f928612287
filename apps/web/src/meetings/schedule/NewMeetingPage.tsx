import { Button } from '@mantine/core'
import { createMeeting } from '@parley/contract'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactElement, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ownTimeZoneName } from '../../session/own-time-zone.ts'
import { usePerson } from '../../session/session.ts'
import { Page } from '../../ui/Page.tsx'
import { randomKey } from '../../ui/random-key.ts'
import { showToast } from '../../ui/toast.ts'
import { useNow } from '../../ui/use-now.ts'
import { draftKeeper } from './kept-draft.ts'
import { MeetingFormLayout } from './MeetingFormLayout.tsx'
import { type MeetingDraft, newDraft, requestOf } from './meeting-draft.ts'
import { timeZonesQuery, zoneIdOf } from './time-zones.ts'
import { useMeetingForm } from './use-meeting-form.ts'
import { isKnownZone } from './wall-time.ts'

const clockEveryMs = 60_000

/** Schedules a meeting. */
export function NewMeetingPage(): ReactElement {
  const { t } = useTranslation('schedule')
  const person = usePerson()
  const now = useNow(clockEveryMs)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: codes } = useSuspenseQuery(timeZonesQuery)
  const { start: chosenStart } = useSearch({ from: '/house/meetings/new' })
  const [openedAt] = useState(now)
  const keeper = useMemo(() => draftKeeper(person._id, undefined), [person._id])
  const start = useMemo(() => {
    const isKnown = person.timeZone !== '' && isKnownZone(zoneIdOf(person.timeZone, codes))
    const timeZone = isKnown ? person.timeZone : ownTimeZoneName()
    return newDraft(openedAt, timeZone, zoneIdOf(timeZone, codes), chosenStart)
  }, [openedAt, person.timeZone, codes, chosenStart])
  const used = useMeetingForm({ start, codes, keeper })
  const keyOf = useIdempotencyKey()

  const creation = useMutation({
    mutationFn: (draft: MeetingDraft) => {
      const body = requestOf(draft, zoneIdOf(draft.timeZone, codes))
      const sendUpdates = draft.tellsParticipants ? 'all' : 'none'
      return client.call(createMeeting, { body, query: { sendUpdates }, idempotencyKey: keyOf({ body, sendUpdates }) })
    },
    onSuccess: async ({ meetingDetails }) => {
      keeper.forget()
      await queryClient.invalidateQueries({ queryKey: ['meetings'] })
      showToast({ message: t('created', { topic: meetingDetails.topic }) })
      await navigate({ to: '/meetings/$meetingId', params: { meetingId: meetingDetails._id } })
    },
    onError: used.showErrors,
  })
  return (
    <Page title={t('newTitle')}>
      <MeetingFormLayout
        used={used}
        codes={codes}
        profileTimeZone={person.timeZone}
        now={now}
        submit={t('create')}
        tells={t('tellsOfNew')}
        error={creation.error}
        isBusy={creation.isPending}
        cancel={
          <Button variant="default" renderRoot={(props) => <Link to="/meetings" {...props} />} onClick={keeper.forget}>
            {t('discard')}
          </Button>
        }
        onSubmit={(draft) => creation.mutate(draft)}
      />
    </Page>
  )
}

/** The same request, sent again because no answer came, has the same key: it schedules one meeting. */
function useIdempotencyKey(): (request: object) => string {
  const sent = useRef({ text: '', key: '' })
  return (request) => {
    const text = JSON.stringify(request)
    if (sent.current.text !== text) sent.current = { text, key: randomKey() }
    return sent.current.key
  }
}
