import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '../session/session.ts'
import { useDates } from '../texts/dates.ts'
import { readClockMs, useNow } from '../ui/hooks/use-now.ts'
import { writeElapsed } from './elapsed.ts'

const tickMs = 1_000

/** The time of day and the time since joining, unless the profile hides them. */
export function RoomClock() {
  const { t } = useTranslation('room')
  const { time } = useDates()
  const now = useNow(tickMs)
  const [sinceMs] = useState(readClockMs)
  const showsElapsed = useQuery(sessionQuery).data?.showConnectedTime ?? true
  return (
    <>
      <time dateTime={now.toISOString()}>{time(now)}</time>
      {showsElapsed && (
        <span role="timer" aria-label={t('clock.connected')} title={t('clock.connected')}>
          {writeElapsed(now.getTime() - sinceMs)}
        </span>
      )}
    </>
  )
}
