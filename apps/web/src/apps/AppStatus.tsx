import type { AppStatus as Status } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { Mark, type Tone } from './Mark.tsx'

const tones: Record<Status, Tone> = {
  draft: 'plain',
  under_review: 'waiting',
  approved: 'good',
  rejected: 'bad',
  on_hold: 'waiting',
  suspended: 'bad',
}

/** Where an app stands, in a word. */
export function AppStatus({ status }: { status: Status }) {
  const { t } = useTranslation('apps')
  return <Mark tone={tones[status]}>{t(`status.${status}`)}</Mark>
}
