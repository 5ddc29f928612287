import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan } from '../../../texts/dates.ts'
import { useReturnFocus } from '../../../ui/hooks/use-return-focus.ts'
import { NotifyCheckbox } from '../../NotifyCheckbox.tsx'
import { type SeriesExtent, SeriesExtentField } from '../../occurrence/SeriesExtentField.tsx'
import { datesBeforeQuery } from '../../split/dates-before-query.ts'
import { useSplitsAt } from '../../split/use-splits-at.ts'
import type { CalendarDate } from './calendar-date.ts'
import type { Times } from './moved-times.ts'
import { mayMoveSeries } from './series-move.ts'
import { useSaveMove } from './use-save-move.ts'

type MoveDialogProps = {
  meeting: SingleMeetingReply
  etag: string
  date: CalendarDate
  times: Times
  /** The date follows the series, so that others could move with it. */
  isSeries: boolean
  onEnd(times: Times): void
}

/** Confirm a move: of which dates of a series, and whether people are told. */
export function MoveDialog({ meeting, etag, date, times, isSeries, onEnd }: MoveDialogProps) {
  const { t, i18n } = useTranslation(['occurrence', 'schedule', 'app'])
  useReturnFocus()
  const saving = useSaveMove(onEnd)
  const [extent, setExtent] = useState<SeriesExtent>('one')
  const [notifies, setNotifies] = useState(true)
  const { originalStartTime } = date
  const write = ({ startTime, endTime }: Times) =>
    writeSpan(startTime, endTime, { language: i18n.language, timeZone: ownTimeZone() })
  const isForMore = isSeries && mayMoveSeries(meeting, { originalStartTime, times })
  const isSplittable = useSplitsAt(meeting, isForMore ? date : undefined)
  const { data: before } = useQuery({ ...datesBeforeQuery(meeting, originalStartTime), enabled: isForMore })
  const extents: readonly SeriesExtent[] = isSplittable ? ['one', 'following', 'all'] : ['one', 'all']
  const hasOthers = meeting.participants.length + meeting.cohosts.length > 0
  const save = () =>
    saving.mutate({
      meeting,
      etag,
      originalStartTime,
      times,
      before: date,
      extent: date.recur ? extent : 'single',
      ...(before !== undefined && { countBefore: before.count }),
      sendUpdates: notifies ? 'all' : 'none',
    })
  return (
    <Modal
      opened
      onClose={() => onEnd(date)}
      title={t('move.title', { topic: date.topic })}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <Stack gap="md">
        <div>
          <Text c="dimmed">{t('move.from', { times: write(date) })}</Text>
          <Text fw={600}>{t('move.to', { times: write(times) })}</Text>
        </div>
        {isForMore && <SeriesExtentField value={extent} onChange={setExtent} extents={extents} date={write(date)} />}
        {isSeries && !isForMore && <Text size="sm">{t('move.days')}</Text>}
        {hasOthers && (
          <NotifyCheckbox
            about="change"
            checked={notifies}
            onChange={({ currentTarget }) => setNotifies(currentTarget.checked)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onEnd(date)}>
            {t('app:cancel')}
          </Button>
          <Button onClick={save} loading={saving.isPending} data-autofocus>
            {t('move.confirm')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
