import { Button, Stack, Text, Title } from '@mantine/core'
import type { JoinStatus } from '@parley/client/join'
import type { Entering } from '@parley/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDates } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { useFocusOnMount } from '../use-focus-on-mount.ts'
import classes from './Lobby.module.css'
import { NoHostCame } from './RoomState.tsx'

type WaitingPanelProps = {
  status: Extract<JoinStatus, { phase: 'waiting' }>
  entering: Entering
  onLeave(): void
}

/** Shown until a host decides or the meeting opens; the page continues by itself. */
export function WaitingPanel({ status: { state: status, opensAt, hostInside }, entering, onLeave }: WaitingPanelProps) {
  const { t } = useTranslation(['room', 'join'])
  const { dateTime } = useDates()
  const focusRef = useFocusOnMount<HTMLDivElement>()
  const { meeting, endsAt = null } = entering
  // The owner of an own room admits each guest, also one who came before the owner.
  const state = status === 'waiting_for_host' && meeting?.kind === 'own_room' ? 'waiting' : status
  return (
    <Stack gap="md" className={classes.rest ?? ''}>
      <div ref={focusRef} tabIndex={-1} role="status">
        <Title order={2} size="h4">
          {t(`waiting.${state}.title`)}
        </Title>
        <Text>{t(state === 'waiting' ? waitingText(hostInside) : `waiting.${state}.text`)}</Text>
        {state !== 'too_early' && hostInside !== true && meeting && (
          <NoHostCame endsAt={endsAt} hostName={meeting.hostName} />
        )}
        {opensAt !== undefined && <Text>{t('join:opensAt', { time: dateTime(opensAt) })}</Text>}
      </div>
      {state === 'waiting' && hostInside === true && <HostNotified />}
      <Text c="dimmed">{t('waiting.hint')}</Text>
      <Button variant="default" onClick={onLeave}>
        {t('waiting.leave')}
      </Button>
    </Stack>
  )
}

const minuteMs = 60_000

/** How long ago the host was notified. Outside the live region, which would announce each minute. */
function HostNotified() {
  const { t } = useTranslation('room')
  const { relative } = useDates()
  const now = useNow(minuteMs / 4)
  const [notifiedOn] = useState(now)
  if (now.getTime() - notifiedOn.getTime() < minuteMs) return null
  return <Text>{t('waiting.notified', { when: relative(notifiedOn, now) })}</Text>
}

/** An absent host has not been notified. */
const waitingText = (hostInside: boolean | undefined) =>
  hostInside === true ? 'waiting.waiting.hostInside' : 'waiting.waiting.noHost'
