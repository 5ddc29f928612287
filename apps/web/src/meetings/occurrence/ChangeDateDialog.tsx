import { Button, Checkbox, Group, Modal, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { changeOccurrence, type OccurrenceReply, type SingleMeetingReply } from '@parley/contract'
import { maxTopicLength } from '@parley/rules/meetings/meeting-request'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../../ui/keyboard/focus-first-invalid.ts'
import { showToast } from '../../ui/toast.ts'
import { DurationField } from '../schedule/fields/DurationField.tsx'
import { InWords } from '../schedule/InWords.tsx'
import type { MeetingDraft } from '../schedule/meeting-draft.ts'
import { useMeetingForm } from '../schedule/use-meeting-form.ts'
import { changesOf, dateDraftOf } from './date-draft.ts'
import { useFollowDate } from './use-follow-date.ts'

type ChangeDateDialogProps = {
  meeting: SingleMeetingReply
  /** The version of the meeting to change; the server refuses another one (412). */
  etag: string
  occurrence: OccurrenceReply
  /** Times to begin with, in place of those that the date has. */
  proposed?: { startTime: string; endTime: string }
  onClose(): void
}

/** A dialog is too short to be left by accident, so its input is not saved. */
const keepsNothing = { read: () => undefined, keep() {}, clear() {} }

/** Change the times and texts of one date of a series. */
export function ChangeDateDialog({ meeting, etag, occurrence, proposed, onClose }: ChangeDateDialogProps) {
  const { t, i18n } = useTranslation(['occurrence', 'schedule', 'app'])
  useReturnFocus()
  const queryClient = useQueryClient()
  const followDate = useFollowDate()
  // As it was when the dialog opened: what another host changes meanwhile is not overwritten.
  const [opened] = useState(occurrence)
  const [was] = useState(() => dateDraftOf(meeting, occurrence))
  const [start] = useState(() => (proposed ? dateDraftOf(meeting, { ...occurrence, ...proposed }) : was))
  const { timeZone, timeZoneIana: zoneId } = meeting.repeatOptions
  // The zone is that of the series: only its own short code has to be known.
  const codes = [{ code: timeZone.toUpperCase(), timeZone: zoneId }]
  const { form, showErrors } = useMeetingForm({ start, codes, keeper: keepsNothing })
  const write = ({ startTime, endTime }: OccurrenceReply) =>
    writeSpan(startTime, endTime, { language: i18n.language, timeZone: ownTimeZone() })

  const change = useMutation({
    mutationFn: (draft: MeetingDraft) =>
      client.call(changeOccurrence, {
        params: { meetingId: meeting._id, originalStart: opened.originalStartTime },
        query: { sendUpdates: draft.tellsParticipants ? 'all' : 'none' },
        body: changesOf(draft, { was, startTime: opened.startTime, zoneId }),
        ifMatch: etag,
      }),
    onSuccess: async (changed) => {
      await followDate(opened.startTime, changed.startTime)
      showToast({ message: t('done', { date: write(changed) }) })
      onClose()
    },
    onError: (error) => {
      showErrors(error)
      focusFirstInvalid()
    },
    // Also after a failure: another host may have changed the meeting.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['meetings'] }),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('changeTitle', { date: write(opened) })}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <ProblemAlert error={change.error} />
      <form noValidate onSubmit={form.onSubmit((draft) => change.mutate(draft), focusFirstInvalid)}>
        <Stack gap="md">
          <Text size="sm">{t('onlyThis')}</Text>
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
            <TextInput
              type="date"
              label={t('schedule:when.date')}
              max="2999-12-31"
              required
              {...form.getInputProps('date')}
            />
            <TextInput
              type="time"
              label={t('schedule:when.time')}
              required
              data-autofocus
              {...form.getInputProps('time')}
            />
            <DurationField
              value={form.values.durationMs}
              onChange={(durationMs) => form.setFieldValue('durationMs', durationMs)}
              error={typeof form.errors.durationMs === 'string' ? form.errors.durationMs : undefined}
            />
          </SimpleGrid>
          <div aria-live="polite">
            <InWords draft={form.values} zoneId={zoneId} />
          </div>
          <TextInput
            label={t('schedule:topic')}
            maxLength={maxTopicLength}
            required
            dir="auto"
            {...form.getInputProps('topic')}
          />
          <Textarea label={t('app:description')} rows={4} dir="auto" {...form.getInputProps('description')} />
          <Checkbox
            label={t('schedule:tellsOfChange')}
            {...form.getInputProps('tellsParticipants', { type: 'checkbox' })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('app:cancel')}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {t('app:saveChanges')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
