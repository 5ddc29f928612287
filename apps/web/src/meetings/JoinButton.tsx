import { Button } from '@mantine/core'
import { IconVideo } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

type JoinButtonProps = { code: string; pin: string; topic: string; variant?: 'filled' | 'default' }

/** Leads to the door of a meeting, with its PIN where no server sees it. */
export function JoinButton({ code, pin, topic, variant = 'filled' }: JoinButtonProps) {
  const { t } = useTranslation('meetings')
  return (
    <Button
      renderRoot={(props) => <Link to="/j/$code" params={{ code }} hash={`pin=${pin}`} {...props} />}
      variant={variant}
      leftSection={<IconVideo size={18} aria-hidden />}
      aria-label={t('joinTopic', { topic })}
    >
      {t('join')}
    </Button>
  )
}
