import { type AppStatus, appStatuses } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { useNow } from '../ui/hooks/use-now.ts'
import { Mark, type Tone } from '../ui/Mark.tsx'
import { reviewAge, toneOfAge, writeHours } from './review-age.ts'

const tones: Record<AppStatus, Tone> = {
  draft: 'neutral',
  under_review: 'neutral',
  approved: 'good',
  rejected: 'danger',
  on_hold: 'caution',
  suspended: 'danger',
}

/** The app's status in the words that its developer sees. */
export function ReviewMark({ status }: { status: string }) {
  const { t } = useTranslation('apps')
  const known = appStatuses.find((one) => one === status)
  return known === undefined ? (
    <Mark tone="neutral">{status}</Mark>
  ) : (
    <Mark tone={tones[known]}>{t(`status.${known}`)}</Mark>
  )
}

/** Relative times have minute precision. */
const everyMs = 60_000

/** The time until the review is due, or since it has been overdue. */
export function ReviewDueBadge({ submittedOn }: { submittedOn: string }) {
  const { t, i18n } = useTranslation('reviews')
  const now = useNow(everyMs)
  const { state, dueOn } = reviewAge(submittedOn, now)
  return <Mark tone={toneOfAge[state]}>{t(`due.${state}`, { distance: writeHours(dueOn, now, i18n.language) })}</Mark>
}
