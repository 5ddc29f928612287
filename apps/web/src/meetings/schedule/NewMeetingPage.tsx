import { Alert, Button, Group } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { IconCopy } from '@tabler/icons-react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactElement, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZoneName } from '../../session/own-time-zone.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { usePerson } from '../../session/session.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { Page } from '../../ui/Page.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { randomKey } from '../../ui/random-key.ts'
import { showToast } from '../../ui/toast.ts'
import { useCreateMeeting } from '../meeting-mutations.ts'
import { meetingQuery } from '../meeting-queries.ts'
import { TemplateMenu } from '../templates/TemplateMenu.tsx'
import { MeetingFormLayout } from './MeetingForm.tsx'
import { DiscardButton, MeetingFormProvider, useMeetingForm } from './MeetingFormContext.tsx'
import { copiedDraft, type MeetingDraft, newDraft, toMeetingRequest } from './meeting-draft.ts'
import { draftKeeper, findOtherDrafts, nameOfNewDraft } from './saved-draft.ts'
import { timeZonesQuery, zoneIdOf } from './time-zones.ts'
import { isKnownZone } from './wall-time.ts'

/** Schedule a meeting: an empty one, or a copy. */
export function NewMeetingPage(): ReactElement {
  const { t } = useTranslation()
  const { copy, start } = useSearch({ from: '/signed-in/meetings/new' })
  const { data, error } = useQuery({ ...meetingQuery(copy ?? ''), enabled: copy !== undefined })
  if (copy === undefined) return <NewMeetingForm key={`new ${start}`} copied={undefined} />
  if (data !== undefined) return <NewMeetingForm key={copy} copied={data.meeting} />
  if (error === null) return <PageSkeleton />
  return (
    <Page title={t('commands.schedule')}>
      <ProblemAlert error={error} />
    </Page>
  )
}

function NewMeetingForm({ copied }: { copied: SingleMeetingReply | undefined }) {
  const { t } = useTranslation(['schedule', 'app'])
  // A refetch must not overwrite typed input.
  const [original] = useState(copied)
  const person = usePerson()
  const navigate = useNavigate()
  const { data: codes } = useSuspenseQuery(timeZonesQuery)
  const { start: chosenStart } = useSearch({ from: '/signed-in/meetings/new' })
  const [openedAt] = useState(() => new Date(readClockMs()))
  const draftName = original === undefined ? nameOfNewDraft(chosenStart) : `copy-${original._id}`
  const keeper = useMemo(() => draftKeeper(person._id, draftName), [person._id, draftName])
  const start = useMemo(() => {
    if (original !== undefined) return copiedDraft(original, openedAt)
    const isKnown = person.timeZone !== '' && isKnownZone(zoneIdOf(person.timeZone, codes))
    // A slot is chosen in the calendar, whose times are the reader's.
    const timeZone = isKnown && chosenStart === undefined ? person.timeZone : ownTimeZoneName()
    return newDraft(openedAt, {
      timeZone,
      zoneId: zoneIdOf(timeZone, codes),
      defaults: person.meetingDefaults,
      chosenStart,
    })
  }, [original, openedAt, person.timeZone, person.meetingDefaults, codes, chosenStart])
  const { form, startAnew, showErrors } = useMeetingForm({ start, codes, keeper })
  const keyOf = useIdempotencyKey()

  const creation = useCreateMeeting({
    onSaved: keeper.clear,
    onRefreshed: async ({ _id, topic }) => {
      showToast({ message: t('created', { topic }) })
      await navigate({ to: '/meetings/$meetingId', params: { meetingId: _id } })
    },
    onError: showErrors,
  })
  const create = (draft: MeetingDraft) => {
    const body = toMeetingRequest(draft, zoneIdOf(draft.timeZone, codes))
    const sendUpdates = draft.tellsParticipants ? 'all' : 'none'
    creation.mutate({ body, sendUpdates, idempotencyKey: keyOf({ body, sendUpdates }) })
  }
  return (
    <Page
      title={t('app:commands.schedule')}
      actions={<TemplateMenu draft={form.values} onReplace={(draft) => form.setValues(draft)} />}
    >
      {original !== undefined && (
        <Alert
          color="accent"
          mb="lg"
          icon={<IconCopy aria-hidden />}
          title={t('copy.title', { topic: original.topic })}
        >
          {t('copy.explanation')}
        </Alert>
      )}
      {original === undefined && <OtherDrafts accountId={person._id} startsAt={chosenStart} />}
      <MeetingFormProvider form={form}>
        <MeetingFormLayout
          startAnew={startAnew}
          submit={t('create')}
          notifiesAbout="new"
          error={creation.error}
          isBusy={creation.isPending}
          cancel={<DiscardButton keeper={keeper} renderRoot={(props) => <Link to="/meetings" {...props} />} />}
          onSubmit={create}
        />
      </MeetingFormProvider>
    </Page>
  )
}

/** Offer the drafts of new meetings that were begun elsewhere: the start that was just chosen in the calendar is kept. */
function OtherDrafts({ accountId, startsAt }: { accountId: string; startsAt: string | undefined }) {
  const { t } = useTranslation('schedule')
  const [drafts, setDrafts] = useState(() => findOtherDrafts(accountId, startsAt))
  return drafts.map((draft) => (
    <Alert key={draft.startsAt ?? ''} color="accent" mb="md">
      <Group justify="space-between">
        {draft.topic === '' ? t('restored.otherUntitled') : t('restored.other', { topic: draft.topic })}
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-sm"
            renderRoot={(props) => (
              <Link
                to="/meetings/new"
                search={draft.startsAt === undefined ? {} : { start: draft.startsAt }}
                {...props}
              />
            )}
          >
            {t('restored.continue')}
          </Button>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              draft.delete()
              setDrafts(drafts.filter((other) => other !== draft))
            }}
          >
            {t('restored.delete')}
          </Button>
        </Group>
      </Group>
    </Alert>
  ))
}

/** A retry of the same request has the same idempotency key, so that it schedules one meeting. */
function useIdempotencyKey(): (request: object) => string {
  const sent = useRef({ text: '', key: '' })
  return (request) => {
    const text = JSON.stringify(request)
    if (sent.current.text !== text) sent.current = { text, key: randomKey() }
    return sent.current.key
  }
}
