import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { ProblemError } from '@parley/client'
import type { OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { mapTexts, meetingTexts } from '@parley/contract/meeting-fields'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useProblemWords } from '../../session/problem-words.ts'
import { usePerson } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import { useIsShown } from '../../ui/hooks/use-is-shown.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../../ui/keyboard/focus-first-invalid.ts'
import { Modal } from '../../ui/Modal.tsx'
import { showToast } from '../../ui/toast.ts'
import { GuestMessageField, messageOf } from '../GuestMessageField.tsx'
import { type DateChange, useChangeDate } from '../meeting-mutations.ts'
import { NotifyCheckbox } from '../NotifyCheckbox.tsx'
import { type SeriesExtent, SeriesExtentField } from '../SeriesExtentField.tsx'
import { FirstDateInWords } from '../schedule/FirstDateInWords.tsx'
import { isStale, MeetingFormProvider, RestoredDraft, useMeetingForm } from '../schedule/MeetingFormContext.tsx'
import { type MeetingDraft, startOf } from '../schedule/meeting-draft.ts'
import { draftKeeper } from '../schedule/saved-draft.ts'
import { changesOf, dateDraftOf } from '../schedule/series-draft.ts'
import { VersionsDialog } from '../schedule/VersionsDialog.tsx'
import { StartAndEnd } from '../schedule/WhenFields.tsx'

type EditSeriesDialogProps = {
  meeting: SingleMeetingReply
  occurrence: OccurrenceReply
  /** This and all following dates can be changed apart from the series. */
  isSplittable: boolean
  onThisDate(): void
  onClose(): void
}

/** Ask which dates of a series to edit. The whole series is edited with its own start, whichever date was opened. */
export function EditSeriesDialog({ meeting, occurrence, isSplittable, onThisDate, onClose }: EditSeriesDialogProps) {
  const { t } = useTranslation(['occurrence', 'app'])
  const dates = useDates()
  useReturnFocus()
  const navigate = useNavigate()
  const [extent, setExtent] = useState<SeriesExtent>('one')
  const { startTime, endTime } = occurrence
  const date = dates.range(startTime, endTime)
  const edit = { to: '/meetings/$meetingId/edit', params: { meetingId: meeting._id } } as const
  const extents: readonly SeriesExtent[] = isSplittable ? ['one', 'following', 'all'] : ['one', 'all']
  const proceed = () => {
    switch (extent) {
      case 'one':
        return onThisDate()
      case 'following':
        return void navigate({ ...edit, search: { from: occurrence.originalStartTime } })
      case 'all':
        return void navigate(edit)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('editTitle', { topic: meeting.topic })}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          proceed()
        }}
      >
        <SeriesExtentField value={extent} onChange={setExtent} extents={extents} date={date} isFirst />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
          <Button type="submit">{t('app:continue')}</Button>
        </Group>
      </form>
    </Modal>
  )
}

const clockEveryMs = 60_000

type ChangeDateDialogProps = {
  meeting: SingleMeetingReply
  /** The version of the meeting to change; the server refuses another one (412). */
  etag: string
  occurrence: OccurrenceReply
  /** Times to begin with, in place of those that the date has. */
  proposed?: { startTime: string; endTime: string }
  onClose(): void
}

/** The date as it is in one version of its meeting. */
type Version = Pick<ChangeDateDialogProps, 'meeting' | 'etag' | 'occurrence'>

/** Change the times and texts of one date of a series. */
export function ChangeDateDialog({ meeting, etag, occurrence, proposed, onClose }: ChangeDateDialogProps) {
  const { t } = useTranslation(['occurrence', 'schedule', 'app'])
  const dates = useDates()
  useReturnFocus()
  const person = usePerson()
  const followDate = useFollowDate()
  const words = useProblemWords()
  const isShown = useIsShown()
  // As it was when the dialog opened: what another host changes meanwhile is not overwritten.
  const [base, setBase] = useState<Version>({ meeting, etag, occurrence })
  const [asksForVersion, setAsksForVersion] = useState(false)
  const [times] = useState(proposed)
  const start = useMemo(() => dateDraftOf(base.meeting, { ...base.occurrence, ...times }), [base, times])
  const { originalStartTime } = base.occurrence
  const { timeZone, timeZoneIana: zoneId } = base.meeting.repeatOptions
  // The zone is that of the series: only its own short code has to be known.
  const codes = [{ code: timeZone.toUpperCase(), timeZone: zoneId }]
  // Other input that was not sent must not hide the proposed times.
  const draftName = ['date', meeting._id, originalStartTime, ...(times ? [times.startTime, times.endTime] : [])].join(
    ' ',
  )
  const keeper = useMemo(() => draftKeeper(person._id, draftName), [person._id, draftName])
  const {
    form,
    etag: draftEtag,
    startAnew,
    replace,
    showErrors,
  } = useMeetingForm({
    start,
    codes,
    keeper,
    etag: base.etag,
  })
  const write = ({ startTime, endTime }: OccurrenceReply) => dates.range(startTime, endTime)

  const change = useChangeDate<DateChange & { startTime: string }>({
    onSaved: async (changed, { startTime }) => {
      keeper.clear()
      await followDate(startTime, changed.startTime)
      showToast({ message: t('done', { date: write(changed) }) })
      onClose()
    },
    onError: (error, _change, refreshed) => {
      setAsksForVersion(false)
      showErrors(error)
      focusFirstInvalid()
      void askOrLeave(error, refreshed)
    },
  })
  const save = (draft: MeetingDraft, version: Version, ifMatch: string) => {
    const { startTime } = version.occurrence
    const was = dateDraftOf(version.meeting, version.occurrence)
    const hasGuests = version.meeting.participants.length + version.meeting.cohosts.length > 0
    const body = {
      ...changesOf(draft, { was, startTime, zoneId }),
      ...messageOf(draft.message, draft.tellsParticipants && hasGuests),
    }
    const sendUpdates = draft.tellsParticipants ? 'all' : 'none'
    change.mutate({ meetingId: meeting._id, originalStartTime, body, sendUpdates, ifMatch, startTime })
  }
  const askOrLeave = async (error: unknown, refreshed: Promise<void>) => {
    await refreshed
    // The page shows the new version now. The dialog is gone with a date that is not in it.
    if (await isShown()) setAsksForVersion(isStale(error))
    else if (error instanceof ProblemError) showToast({ kind: 'problem', message: words(error) })
  }
  const isSameDate = occurrence.originalStartTime === originalStartTime && occurrence.status !== 'cancelled'
  const theirs = asksForVersion && isSameDate ? { meeting, etag, occurrence } : undefined
  const theirDraft = theirs && dateDraftOf(theirs.meeting, theirs.occurrence)
  const now = useNow(clockEveryMs)
  const { date, time, durationMs } = form.values
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('changeTitle', { date: write(base.occurrence) })}
      closeOnClickOutside={false}
      closeOnEscape={theirs === undefined}
      trapFocus={theirs === undefined}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <ProblemAlert error={isSameDate && isStale(change.error) ? null : change.error} />
      <MeetingFormProvider form={form}>
        <form
          noValidate
          onSubmit={form.onSubmit((draft) => save(draft, base, draftEtag ?? base.etag), focusFirstInvalid)}
        >
          <Stack gap="md">
            <RestoredDraft startAnew={startAnew} />
            <Text size="sm">{t('onlyThis')}</Text>
            <StartAndEnd zoneId={zoneId} startsAt={startOf(form.values, zoneId)} now={now} isFirst />
            <div aria-live="polite">
              <FirstDateInWords draft={form.values} zoneId={zoneId} />
            </div>
            <TextInput
              label={t('schedule:topic')}
              maxLength={meetingTexts.topic.maxLength}
              required
              dir="auto"
              {...form.getInputProps('topic')}
            />
            <TextInput
              label={t('app:location')}
              maxLength={meetingTexts.location.maxLength}
              dir="auto"
              {...form.getInputProps('location')}
            />
            <Textarea label={t('app:description')} rows={4} dir="auto" {...form.getInputProps('description')} />
            {meeting.participants.length + meeting.cohosts.length > 0 && (
              <NotifyCheckbox about="change" {...form.getInputProps('tellsParticipants', { type: 'checkbox' })} />
            )}
            {form.values.tellsParticipants && meeting.participants.length + meeting.cohosts.length > 0 && (
              <GuestMessageField {...form.getInputProps('message')} />
            )}
            <Group justify="flex-end">
              <Button
                variant="default"
                onClick={() => {
                  keeper.clear()
                  onClose()
                }}
              >
                {t('app:cancel')}
              </Button>
              <Button type="submit" loading={change.isPending}>
                {t('app:saveChanges')}
              </Button>
            </Group>
          </Stack>
        </form>
      </MeetingFormProvider>
      {theirs !== undefined && theirDraft !== undefined && (
        <VersionsDialog
          // What else differs between the versions belongs to the series, and is not saved here.
          mine={{ ...theirDraft, date, time, durationMs, ...mapTexts((name) => form.values[name]) }}
          theirs={theirDraft}
          changedAt={theirs.meeting.modifiedOn}
          codes={codes}
          isBusy={change.isPending}
          onKeepMine={() => save(form.values, theirs, theirs.etag)}
          onTakeTheirs={() => {
            replace(theirDraft)
            setBase(theirs)
            setAsksForVersion(false)
            change.reset()
          }}
          onClose={() => setAsksForVersion(false)}
        />
      )}
    </Modal>
  )
}

/** Keep a date open whose start has changed: the page's address names it by its start. */
function useFollowDate(): (from: string, to: string) => Promise<void> {
  const navigate = useNavigate()
  const { date } = useSearch({ strict: false })
  return async (from, to) => {
    if (date !== from || from === to) return
    await navigate({ to: '.', search: (search) => ({ ...search, date: to }), replace: true })
  }
}
