import { Button, Group, Modal } from '@mantine/core'
import type { OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { type SeriesExtent, SeriesExtentField } from './SeriesExtentField.tsx'

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
  const { t, i18n } = useTranslation(['occurrence', 'app'])
  useReturnFocus()
  const navigate = useNavigate()
  const [extent, setExtent] = useState<SeriesExtent>('one')
  const { startTime, endTime } = occurrence
  const date = writeSpan(startTime, endTime, { language: i18n.language, timeZone: ownTimeZone() })
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
