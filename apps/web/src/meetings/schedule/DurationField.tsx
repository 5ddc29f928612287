import { Group, NativeSelect, NumberInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { writeDuration } from './calendar-words.ts'
import { useMeetingFormContext } from './MeetingFormContext.tsx'
import { minuteMs } from './meeting-draft.ts'

const defaultMinutes = [15, 30, 45, 60, 90, 120, 180, 240, 480]
const minutesInHour = 60
const maxHours = 24

/** The duration: one of the common values, or hours and minutes. */
export function DurationField() {
  const form = useMeetingFormContext()
  const { value, onChange, error } = form.getInputProps('durationMs')
  const { t, i18n } = useTranslation('schedule')
  const usual = defaultMinutes.map((minutes) => minutes * minuteMs)
  const [isOwn, setOwn] = useState(!usual.includes(value))
  const totalMinutes = Math.floor(value / minuteMs)
  const set = (hours: number | string, minutes: number | string) =>
    onChange((Number(hours) * minutesInHour + Number(minutes)) * minuteMs)
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t('when.duration')}
        value={isOwn ? 'own' : String(value)}
        error={isOwn ? undefined : error}
        data={[
          ...usual.map((durationMs) => ({
            value: String(durationMs),
            label: writeDuration(durationMs, i18n.language),
          })),
          { value: 'own', label: t('when.ownDuration') },
        ]}
        onChange={({ currentTarget }) => {
          setOwn(currentTarget.value === 'own')
          if (currentTarget.value !== 'own') onChange(Number(currentTarget.value))
        }}
      />
      {isOwn && (
        <Group gap="xs" grow align="flex-start">
          <NumberInput
            label={t('when.hours')}
            min={0}
            max={maxHours}
            value={Math.floor(totalMinutes / minutesInHour)}
            onChange={(hours) => set(hours, totalMinutes % minutesInHour)}
            error={error}
            hideControls
          />
          <NumberInput
            label={t('when.minutes')}
            min={0}
            max={minutesInHour - 1}
            value={totalMinutes % minutesInHour}
            onChange={(minutes) => set(Math.floor(totalMinutes / minutesInHour), minutes)}
            hideControls
          />
        </Group>
      )}
    </Stack>
  )
}
