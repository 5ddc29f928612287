import { Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/Page.tsx'
import { nextActions, type ShownEnd } from '../next-actions.ts'
import { useFocusOnMount } from '../use-focus-on-mount.ts'

type EndingProps = {
  reason: ShownEnd
  topic: string
  hosts: boolean
  signedIn: boolean
  onRejoin(): void
  onAskAgain(): void
}

/** Why the visit ended, and what to do next. */
export function Ending({ reason, topic, hosts, signedIn, onRejoin, onAskAgain }: EndingProps) {
  const { t } = useTranslation(['room', 'join'])
  const text = useFocusOnMount<HTMLDivElement>()
  const ways = nextActions(reason, signedIn)
  return (
    <Stack gap="md">
      <div ref={text} tabIndex={-1} role="status">
        <PageTitle>{t(`endings.${reason}.title`)}</PageTitle>
        <Text fw={600}>{topic}</Text>
        <Text>{t(hosts && reason === 'cancelled' ? 'endings.cancelled.ofHost' : `endings.${reason}.text`)}</Text>
      </div>
      {ways.includes('rejoin') && (
        <Button fullWidth onClick={onRejoin}>
          {t(reason === 'elsewhere' ? 'endings.here' : 'endings.rejoin')}
        </Button>
      )}
      {ways.includes('ask') && (
        <Button variant="default" fullWidth onClick={onAskAgain}>
          {t('endings.ask')}
        </Button>
      )}
      {ways.includes('meetings') && (
        <Button variant="default" fullWidth renderRoot={(props) => <Link to="/meetings" {...props} />}>
          {t('join:toMeetings')}
        </Button>
      )}
      {ways.includes('close') && <Text c="dimmed">{t('endings.close')}</Text>}
    </Stack>
  )
}
