import type { AppStatus as Status } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { Mark, type Tone } from '../ui/Mark.tsx'

const tones: Record<Status, Tone> = {
  draft: 'neutral',
  under_review: 'caution',
  approved: 'good',
  rejected: 'danger',
  on_hold: 'caution',
  suspended: 'danger',
}

/** Where an app stands, in a word. */
export function AppStatus({ status }: { status: Status }) {
  const { t } = useTranslation('apps')
  return <Mark tone={tones[status]}>{t(`status.${status}`)}</Mark>
}
