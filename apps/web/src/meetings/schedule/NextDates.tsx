import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { writeZone } from '../../texts/dates.ts'
import { draftFaults } from './draft-faults.ts'
import { InWords } from './InWords.tsx'
import { type MeetingDraft, startOf } from './meeting-draft.ts'
import { PreviewedDates } from './PreviewedDates.tsx'
import { writeRepeat } from './repeat-sentence.ts'
import { type TimeZoneCode, zoneIdOf } from './time-zones.ts'

type NextDatesProps = { draft: MeetingDraft; codes: readonly TimeZoneCode[] }

/** Faults of these say nothing of when the meeting takes place. */
const timeless = ['topic', 'description', 'participants', 'cohosts']

/** The rule as a sentence, and when the meeting takes place by it. */
export function NextDates({ draft, codes }: NextDatesProps) {
  const { t, i18n } = useTranslation('schedule')
  const zoneId = zoneIdOf(draft.timeZone, codes)
  if (draft.repeat.repeat === 'none') {
    return (
      <div aria-live="polite">
        <InWords draft={draft} zoneId={zoneId} />
        <Text c="dimmed" size="sm">
          {t('dates.once')}
        </Text>
      </div>
    )
  }
  const sentence = writeRepeat(draft.repeat, { t, language: i18n.language })
  const startsAt = startOf(draft, zoneId)
  const isClear = Object.keys(draftFaults(draft, zoneId)).every((field) => timeless.includes(field))
  return (
    <Stack gap="sm">
      <div aria-live="polite">
        <Text fw={600}>{sentence === '' ? t('dates.incomplete') : sentence}</Text>
        {startsAt !== undefined && (
          <Text size="sm" c="dimmed">
            {writeZone(startsAt, { language: i18n.language, timeZone: zoneId })}
          </Text>
        )}
      </div>
      {isClear && <PreviewedDates draft={draft} zoneId={zoneId} />}
    </Stack>
  )
}
