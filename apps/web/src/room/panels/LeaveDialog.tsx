import { Button, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { isLayerOpen } from '../../ui/hooks/use-back-closes.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import { useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'

/** Hosts choose between leaving and ending the meeting for all. */
export function LeaveDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['room', 'app'])
  const { room } = useVisited()
  const { others } = useSnapshot()
  const runAction = useAction()
  const [ending, setEnding] = useState(false)
  useReturnFocus()
  const end = async () => {
    setEnding(true)
    if (!(await runAction(room.host.end, 'host'))) setEnding(false)
  }
  return (
    <Modal opened onClose={onClose} title={t('leave.title')} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <Stack gap="sm">
        <Text>{t(others.length > 0 ? 'leave.text' : 'leave.alone')}</Text>
        <Button data-autofocus onClick={() => void room.leave()}>
          {t('tools.leave')}
        </Button>
        <Button color="red" loading={ending} onClick={end}>
          {t('leave.end')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('app:cancel')}
        </Button>
      </Stack>
    </Modal>
  )
}

/**
 * Ask before a link, the browser's Back or a command takes the person out of the call. Before the tab is closed,
 * reloaded or used for another site, the browser asks in its own words. It asks while it is mounted: inside the room.
 */
export function LeaveGuard() {
  const { room } = useVisited()
  const { status, proceed, reset } = useBlocker({
    // The PIN in the fragment may go without leaving the room, and Back closes an open dialog first.
    shouldBlockFn: ({ action, current, next }) =>
      current.pathname !== next.pathname && !(action === 'BACK' && isLayerOpen()),
    enableBeforeUnload: true,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  const leave = () => {
    proceed()
    // At once: while the next page loads, no one hears a person who has left, and the browser asks nothing.
    void room.leave()
  }
  return <LeaveQuestion onLeave={leave} onStay={reset} />
}

function LeaveQuestion({ onLeave, onStay }: { onLeave(): void; onStay(): void }) {
  const { t } = useTranslation('room')
  const { others } = useSnapshot()
  useReturnFocus()
  return (
    <ConfirmDialog
      opened
      dangerous
      title={t('guard.title')}
      confirm={t('tools.leave')}
      cancel={t('guard.stay')}
      onConfirm={onLeave}
      onClose={onStay}
    >
      <Text>{t(others.length > 0 ? 'guard.text' : 'guard.alone')}</Text>
    </ConfirmDialog>
  )
}
