import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../../session/session.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { DurationField } from './DurationField.tsx'
import { useMeetingFormContext } from './MeetingFormContext.tsx'
import { startOf } from './meeting-draft.ts'
import { followDate } from './repeat-draft.ts'
import { TimeZoneField } from './TimeZoneField.tsx'
import { timeZonesQuery, zoneIdOf } from './time-zones.ts'

const clockEveryMs = 60_000

/** When a meeting takes place, in its time zone. */
export function WhenFields() {
  const form = useMeetingFormContext()
  const { timeZone: profileTimeZone } = usePerson()
  const { data: codes } = useSuspenseQuery(timeZonesQuery)
  const now = useNow(clockEveryMs)
  const { t } = useTranslation('schedule')
  const { date, timeZone } = form.values
  const startsAt = startOf(form.values, zoneIdOf(timeZone, codes))
  // While a date is being typed, the field has no value.
  const lastDate = useRef(date)
  const dateProps = form.getInputProps('date')
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        <TextInput
          {...dateProps}
          type="date"
          label={t('when.date')}
          max="2999-12-31"
          required
          onChange={({ currentTarget: { value } }) => {
            form.setFieldValue('repeat', followDate(form.values.repeat, date === '' ? lastDate.current : date, value))
            form.setFieldValue('date', value)
            if (date !== '') lastDate.current = date
          }}
        />
        <TextInput type="time" label={t('when.time')} required {...form.getInputProps('time')} />
        <DurationField />
      </SimpleGrid>
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
