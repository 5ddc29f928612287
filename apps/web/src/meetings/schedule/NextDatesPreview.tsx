import { Stack, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { meetingTextNames } from '@parley/contract/meeting-fields'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { datesIn } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { validateDraft } from './draft-validation.ts'
import { FirstDateInWords } from './FirstDateInWords.tsx'
import { useMeetingFormContext } from './MeetingFormContext.tsx'
import { type MeetingDraft, startOf } from './meeting-draft.ts'
import { ChangedDates, OverlappingMeetings, PastNotice, PreviewedDates, useDatesPreview } from './PreviewedDates.tsx'
import { writeRepeat } from './repeat-sentence.ts'
import { timeZonesQuery, zoneIdOf } from './time-zones.ts'

type NextDatesPreviewProps = {
  /** The edited meeting. */
  was: SingleMeetingReply | undefined
  /** The meeting that the dates are of now, which does not overlap with itself. */
  ownId: string | undefined
}

const clockEveryMs = 60_000

/** Violations of these fields do not affect the dates. */
const timeless: readonly string[] = [...meetingTextNames, 'participants', 'cohosts']

/** The recurrence rule as a sentence, and the dates that it produces. */
export function NextDatesPreview({ was, ownId }: NextDatesPreviewProps) {
  const { values: draft } = useMeetingFormContext()
  const { data: codes } = useSuspenseQuery(timeZonesQuery)
  const now = useNow(clockEveryMs)
  const { t, i18n } = useTranslation('schedule')
  const zoneId = zoneIdOf(draft.timeZone, codes)
  const startsAt = startOf(draft, zoneId, was)
  const isClear = Object.keys(validateDraft(draft, zoneId)).every((field) => timeless.includes(field))
  // An unchanged start may be in the past.
  const isUntouched = was !== undefined && startsAt?.getTime() === Date.parse(was.startTime)
  const isPast = startsAt !== undefined && startsAt < now && !isUntouched
  if (draft.repeat.repeat === 'none') {
    return (
      <div aria-live="polite">
        <FirstDateInWords draft={draft} zoneId={zoneId} />
        {isPast && <PastNotice isOver={startsAt.getTime() + draft.durationMs <= now.getTime()} />}
        <Text c="dimmed" size="sm">
          {t('dates.once')}
        </Text>
        {isClear && startsAt !== undefined && (
          <OverlappingMeetings dates={[datesFrom(startsAt, draft.durationMs)]} meetingId={ownId} />
        )}
        {isClear && was?.recur === true && <SingleChange draft={draft} zoneId={zoneId} was={was} />}
      </div>
    )
  }
  const sentence = writeRepeat(draft.repeat, { t, language: i18n.language })
  return (
    <Stack gap="sm">
      <div aria-live="polite">
        <Text fw={600}>{sentence === '' ? t('dates.incomplete') : sentence}</Text>
        {startsAt !== undefined && (
          <Text size="sm" c="dimmed">
            {datesIn(i18n.language, zoneId).zone(startsAt)}
          </Text>
        )}
        {isPast && <PastNotice isOver={false} />}
      </div>
      {isClear && <PreviewedDates draft={draft} zoneId={zoneId} was={was} ownId={ownId} />}
    </Stack>
  )
}

const datesFrom = (startsAt: Date, durationMs: number) => ({
  startTime: startsAt.toISOString(),
  endTime: new Date(startsAt.getTime() + durationMs).toISOString(),
})

/** The effect on existing dates when a series becomes a single meeting. */
function SingleChange({ draft, zoneId, was }: { draft: MeetingDraft; zoneId: string; was: SingleMeetingReply }) {
  const { data } = useDatesPreview(draft, zoneId, was)
  return data === undefined ? null : <ChangedDates preview={data} />
}
