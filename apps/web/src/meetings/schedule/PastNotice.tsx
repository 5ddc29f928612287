import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** A start that has passed is taken, because imports have one; it is rarely what a person who types it means. */
export function PastNotice({ isOver }: { isOver: boolean }) {
  const { t } = useTranslation('schedule')
  return (
    <Alert color="yellow" role="note" my="xs" icon={<IconAlertTriangle aria-hidden />}>
      {t(isOver ? 'when.over' : 'when.past')}
    </Alert>
  )
}
