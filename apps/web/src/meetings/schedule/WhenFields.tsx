import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan, writeZone } from '../../texts/dates.ts'
import { DurationField } from './DurationField.tsx'
import type { MeetingForm } from './form.ts'
import { startOf } from './meeting-draft.ts'
import { followDate } from './repeat-draft.ts'
import { TimeZoneField } from './TimeZoneField.tsx'
import { type TimeZoneCode, zoneIdOf } from './time-zones.ts'
import { isKnownZone, isLeftOut } from './wall-time.ts'

type WhenFieldsProps = { form: MeetingForm; codes: readonly TimeZoneCode[]; profileTimeZone: string; now: Date }

/** When a meeting takes place, on the clock of its zone; in words below, and in the reader's own time where it differs. */
export function WhenFields({ form, codes, profileTimeZone, now }: WhenFieldsProps) {
  const { t } = useTranslation('schedule')
  const { date, timeZone } = form.values
  const startsAt = startOf(form.values, zoneIdOf(timeZone, codes))
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
            form.setFieldValue('repeat', followDate(form.values.repeat, date, value))
            form.setFieldValue('date', value)
          }}
        />
        <TextInput type="time" label={t('when.time')} required {...form.getInputProps('time')} />
        <DurationField
          value={form.values.durationMs}
          onChange={(durationMs) => form.setFieldValue('durationMs', durationMs)}
          error={errorText(form.errors.durationMs)}
        />
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
      <InWords form={form} startsAt={startsAt} zoneId={zoneIdOf(timeZone, codes)} />
    </Stack>
  )
}

type InWordsProps = { form: MeetingForm; startsAt: Date | undefined; zoneId: string }

function InWords({ form, startsAt, zoneId }: InWordsProps) {
  const { t, i18n } = useTranslation('schedule')
  if (startsAt === undefined || !isKnownZone(zoneId)) return <Text c="dimmed">{t('when.unclear')}</Text>
  const endsAt = new Date(startsAt.getTime() + form.values.durationMs)
  const there = { language: i18n.language, timeZone: zoneId }
  const here = { language: i18n.language, timeZone: ownTimeZone() }
  const span = writeSpan(startsAt, endsAt, there)
  const ownSpan = writeSpan(startsAt, endsAt, here)
  return (
    <div aria-live="polite">
      <Text>{t('when.there', { span, zone: writeZone(startsAt, there) })}</Text>
      {ownSpan !== span && <Text c="dimmed">{t('when.here', { span: ownSpan })}</Text>}
      {isLeftOut(form.values, zoneId) && <Text>{t('when.leftOut')}</Text>}
    </div>
  )
}

const errorText = (error: unknown) => (typeof error === 'string' ? error : undefined)
