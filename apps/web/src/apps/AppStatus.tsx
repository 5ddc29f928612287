import { Badge } from '@mantine/core'
import type { AppStatus as Status } from '@parley/contract'
import { useTranslation } from 'react-i18next'

const colors: Record<Status, string> = {
  draft: 'gray',
  under_review: 'yellow',
  approved: 'accent',
  rejected: 'red',
  on_hold: 'yellow',
  suspended: 'red',
}

/** Where an app stands, in a word. */
export function AppStatus({ status }: { status: Status }) {
  const { t } = useTranslation('apps')
  return (
    <Badge color={colors[status]} variant="outline" autoContrast>
      {t(`status.${status}`)}
    </Badge>
  )
}
