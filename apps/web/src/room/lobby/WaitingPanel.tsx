import { Button, Stack, Text, Title } from '@mantine/core'
import type { JoinStatus } from '@parley/client/join'
import { useTranslation } from 'react-i18next'
import { useDates } from '../../texts/dates.ts'
import { useFocusOnMount } from '../endings/use-focus-on-mount.ts'

type WaitingPanelProps = { status: Extract<JoinStatus, { phase: 'waiting' }>; onLeave(): void }

/** Shown until a host decides or the meeting opens; the page continues by itself. */
export function WaitingPanel({ status: { state, opensAt, hostInside }, onLeave }: WaitingPanelProps) {
  const { t } = useTranslation(['room', 'join'])
  const { dateTime } = useDates()
  const focusRef = useFocusOnMount<HTMLDivElement>()
  return (
    <Stack gap="md">
      <div ref={focusRef} tabIndex={-1} role="status">
        <Title order={2} size="h4">
          {t(`waiting.${state}.title`)}
        </Title>
        <Text>{t(state === 'waiting' ? waitingText(hostInside) : `waiting.${state}.text`)}</Text>
        {opensAt !== undefined && <Text>{t('join:opensAt', { time: dateTime(opensAt) })}</Text>}
      </div>
      <Text c="dimmed">{t('waiting.hint')}</Text>
      <Button variant="default" onClick={onLeave}>
        {t('waiting.leave')}
      </Button>
    </Stack>
  )
}

/** An absent host has not been notified. */
const waitingText = (hostInside: boolean | undefined) =>
  hostInside === true ? 'waiting.waiting.hostInside' : 'waiting.waiting.noHost'
