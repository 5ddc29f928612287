import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** A start in the past is valid, because imported meetings have one; typed by a person it is rarely intended. */
export function PastNotice({ isOver }: { isOver: boolean }) {
  const { t } = useTranslation('schedule')
  return (
    <Alert color="yellow" role="note" my="xs" icon={<IconAlertTriangle aria-hidden />}>
      {t(isOver ? 'when.over' : 'when.past')}
    </Alert>
  )
}
