import { Button } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../ui/hooks/use-now.ts'
import { EditButton } from '../EditButton.tsx'
import { nextDatesQuery, openedDateQuery } from '../meeting-queries.ts'
import { useSplitsAt } from '../split/use-splits-at.ts'

const EditSeriesDialog = lazy(async () => ({ default: (await import('./date-dialogs.ts')).EditSeriesDialog }))
const ChangeDateDialog = lazy(async () => ({ default: (await import('./date-dialogs.ts')).ChangeDateDialog }))

const clockEveryMs = 60_000

/**
 * Edit a series: ask whether to change the opened date, or the next one, with all following ones or alone, or the whole
 * series. Where no such date is left, edit the whole series.
 */
export function EditSeriesButton({ meeting, etag }: { meeting: SingleMeetingReply; etag: string }) {
  const { t } = useTranslation('meeting')
  const now = useNow(clockEveryMs)
  const { date = '' } = useSearch({ strict: false })
  const { _id: meetingId } = meeting
  const { data: opened } = useQuery({ ...openedDateQuery(meetingId, date), enabled: date !== '' })
  const { data: dates } = useQuery(nextDatesQuery(meetingId))
  const button = useRef<HTMLButtonElement>(null)
  const [dialog, setDialog] = useState<'ask' | 'change'>()
  const candidates = [...(opened ? [opened] : []), ...(dates?.active ?? [])]
  const occurrence = candidates.find(({ status, endTime }) => status !== 'cancelled' && new Date(endTime) > now)
  const isSplittable = useSplitsAt(meeting, occurrence)
  if (occurrence === undefined) return <EditButton meetingId={meetingId} />
  const close = () => {
    setDialog(undefined)
    // The second dialog was opened from the first one, which is gone.
    button.current?.focus()
  }
  return (
    <>
      <Button ref={button} variant="default" onClick={() => setDialog('ask')}>
        {t('edit')}
      </Button>
      <Suspense fallback={null}>
        {dialog === 'ask' && (
          <EditSeriesDialog
            meeting={meeting}
            occurrence={occurrence}
            isSplittable={isSplittable}
            onThisDate={() => setDialog('change')}
            onClose={close}
          />
        )}
        {dialog === 'change' && (
          <ChangeDateDialog meeting={meeting} etag={etag} occurrence={occurrence} onClose={close} />
        )}
      </Suspense>
    </>
  )
}
