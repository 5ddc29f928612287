import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { InWords } from './InWords.tsx'
import type { MeetingDraft } from './meeting-draft.ts'
import { writeRepeat } from './repeat-sentence.ts'
import { type TimeZoneCode, zoneIdOf } from './time-zones.ts'

type NextDatesProps = { draft: MeetingDraft; codes: readonly TimeZoneCode[] }

/** The rule as a sentence, and when the meeting takes place by it. */
export function NextDates({ draft, codes }: NextDatesProps) {
  const { t, i18n } = useTranslation('schedule')
  const sentence = writeRepeat(draft.repeat, { t, language: i18n.language })
  const repeats = draft.repeat.repeat !== 'none'
  return (
    <Stack gap="sm">
      <div aria-live="polite">
        {repeats && <Text fw={600}>{sentence === '' ? t('dates.incomplete') : sentence}</Text>}
        <InWords draft={draft} zoneId={zoneIdOf(draft.timeZone, codes)} />
        {!repeats && (
          <Text c="dimmed" size="sm">
            {t('dates.once')}
          </Text>
        )}
      </div>
    </Stack>
  )
}
