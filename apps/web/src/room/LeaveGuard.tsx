import { Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'

/**
 * Ask before a link, the browser's Back or a command takes the person out of the call. Before the tab is closed,
 * reloaded or used for another site, the browser asks in its own words. It asks while it is mounted: inside the room.
 */
export function LeaveGuard() {
  const { status, proceed, reset } = useBlocker({
    // The PIN in the fragment may go without leaving the room.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    enableBeforeUnload: true,
    withResolver: true,
  })
  return status === 'blocked' ? <LeaveQuestion onLeave={proceed} onStay={reset} /> : null
}

function LeaveQuestion({ onLeave, onStay }: { onLeave(): void; onStay(): void }) {
  const { t } = useTranslation('room')
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
      <Text>{t('guard.text')}</Text>
    </ConfirmDialog>
  )
}
