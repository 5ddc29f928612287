import type { App, AppStatus as Status } from '@parley/contract'
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

/** The status of an app; of a live app with a pending revision, both statuses. */
export function AppStatus({ app: { status, draftStatus } }: { app: Pick<App, 'status' | 'draftStatus'> }) {
  const { t } = useTranslation('apps')
  if (draftStatus === undefined) return <Mark tone={tones[status]}>{t(`status.${status}`)}</Mark>
  return <Mark tone={tones[draftStatus]}>{t(`change.${draftStatus}` as 'change.under_review')}</Mark>
}
