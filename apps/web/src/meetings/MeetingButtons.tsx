import { Button } from '@mantine/core'
import { IconPlus, IconVideo } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

type JoinButtonProps = { code: string; pin: string; topic: string; starts?: boolean; quiet?: boolean }

/** Open the meeting's join page, with its PIN in the fragment, which no server sees; hosts start the meeting there. */
export function JoinButton({ code, pin, topic, starts = false, quiet = false }: JoinButtonProps) {
  const { t } = useTranslation(['meetings', 'app'])
  return (
    <Button
      {...(quiet && { variant: 'default', size: 'sm' })}
      renderRoot={(props) => <Link to="/j/$code" params={{ code }} hash={`pin=${pin}`} {...props} />}
      leftSection={<IconVideo size={18} aria-hidden />}
      aria-label={t(starts ? 'startTopic' : 'joinTopic', { topic })}
    >
      {t(starts ? 'start' : 'app:join')}
    </Button>
  )
}

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
