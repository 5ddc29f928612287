import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** The page's primary action. */
export function ScheduleButton() {
  const { t } = useTranslation('app')
  return (
    <Button
      renderRoot={(props) => <Link to="/meetings/new" {...props} />}
      leftSection={<IconPlus size={18} aria-hidden />}
    >
      {t('commands.schedule')}
    </Button>
  )
}
