import { Stack } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../../session/session.ts'
import { DateField } from '../../ui/date-time/DateField.tsx'
import { TimeField } from '../../ui/date-time/TimeField.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { EndField } from './EndField.tsx'
import classes from './MeetingForm.module.css'
import { useMeetingFormContext } from './MeetingFormContext.tsx'
import { startOf } from './meeting-draft.ts'
import { followDate } from './repeat-draft.ts'
import { TimeZoneField } from './TimeZoneField.tsx'
import { timeZonesQuery, zoneIdOf } from './time-zones.ts'
import { isKnownZone, wallTimeOf } from './wall-time.ts'

const clockEveryMs = 60_000

/** When a meeting takes place, in its time zone. */
export function WhenFields() {
  const form = useMeetingFormContext()
  const { timeZone: profileTimeZone } = usePerson()
  const { data: codes } = useSuspenseQuery(timeZonesQuery)
  const now = useNow(clockEveryMs)
  const { t } = useTranslation('schedule')
  const { date, timeZone } = form.values
  const zoneId = zoneIdOf(timeZone, codes)
  const startsAt = startOf(form.values, zoneId)
  // After a text that is no date, the field has no value.
  const lastDate = useRef(date)
  return (
    <Stack gap="md">
      <StartAndEnd
        zoneId={zoneId}
        startsAt={startsAt}
        now={now}
        onDate={(chosen) => {
          form.setFieldValue('repeat', followDate(form.values.repeat, date === '' ? lastDate.current : date, chosen))
          form.setFieldValue('date', chosen)
          if (date !== '') lastDate.current = date
        }}
      />
      <TimeZoneField
        label={t('when.timeZone')}
        codes={codes}
        at={startsAt ?? now}
        profileTimeZone={profileTimeZone}
        value={timeZone}
        onChange={(chosen) => chosen !== null && form.setFieldValue('timeZone', chosen)}
        error={form.errors.timeZone}
      />
    </Stack>
  )
}

type StartAndEndProps = {
  zoneId: string
  startsAt: Date | undefined
  now: Date
  onDate?(date: string): void
  /** The start has the focus when a dialog opens. */
  isFirst?: boolean
}

/** The date, the start and the end of a meeting, in one line where there is room. */
export function StartAndEnd({ zoneId, startsAt, now, onDate, isFirst = false }: StartAndEndProps) {
  const form = useMeetingFormContext()
  const { t } = useTranslation('schedule')
  const dateProps = form.getInputProps('date')
  const timeProps = form.getInputProps('time')
  return (
    <div className={classes.when}>
      <DateField
        {...dateProps}
        value={form.values.date}
        label={t('when.date')}
        required
        onChange={onDate ?? dateProps.onChange}
        {...(isKnownZone(zoneId) && { today: wallTimeOf(now, zoneId).date })}
      />
      <TimeField
        {...timeProps}
        value={form.values.time}
        onChange={timeProps.onChange}
        label={t('when.time')}
        required
        data-autofocus={isFirst || undefined}
      />
      <EndField startsAt={startsAt} zoneId={zoneId} />
    </div>
  )
}
