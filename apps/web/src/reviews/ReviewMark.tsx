import { type AppStatus, appStatuses } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { Mark, type Tone } from '../ui/Mark.tsx'

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
