import { useTranslation } from 'react-i18next'
import { useNow } from '../ui/hooks/use-now.ts'
import { Mark } from '../ui/Mark.tsx'
import { reviewAge, toneOfAge, writeHours } from './review-age.ts'

/** Relative times have minute precision. */
const everyMs = 60_000

/** The time until the review is due, or since it has been overdue. */
export function ReviewDueBadge({ submittedOn }: { submittedOn: string }) {
  const { t, i18n } = useTranslation('reviews')
  const now = useNow(everyMs)
  const { state, dueOn } = reviewAge(submittedOn, now)
  return <Mark tone={toneOfAge[state]}>{t(`due.${state}`, { distance: writeHours(dueOn, now, i18n.language) })}</Mark>
}
