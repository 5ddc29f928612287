import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MeetingDraft } from './meeting-draft.ts'
import { writeRepeat } from './repeat-sentence.ts'
import type { TimeZoneCode } from './time-zones.ts'

type NextDatesProps = { draft: MeetingDraft; codes: readonly TimeZoneCode[] }

/** The rule as a sentence, and when the meeting takes place by it. */
export function NextDates({ draft }: NextDatesProps) {
  const { t, i18n } = useTranslation('schedule')
  const sentence = writeRepeat(draft.repeat, { t, language: i18n.language })
  return (
    <Text fw={600} aria-live="polite">
      {draft.repeat.repeat === 'none' ? t('dates.once') : sentence === '' ? t('dates.incomplete') : sentence}
    </Text>
  )
}
