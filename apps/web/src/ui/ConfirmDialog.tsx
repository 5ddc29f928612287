import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type ConfirmDialogProps = {
  opened: boolean
  title: string
  /** What the deed is called: never 'OK'. */
  confirm: string
  /** What it is called to leave it; 'Cancel' when absent. */
  cancel?: string
  /** The deed cannot be taken back. */
  dangerous?: boolean
  busy?: boolean
  onConfirm(): void
  onClose(): void
  children: ReactNode
}

/** Asks before something is done that cannot simply be undone. The focus begins on the way out. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, confirm, cancel, dangerous = false, busy = false, onConfirm, onClose, children } = props
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      {children}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel ?? t('cancel')}
        </Button>
        <Button color={dangerous ? 'red' : 'accent'} onClick={onConfirm} loading={busy}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  )
}
