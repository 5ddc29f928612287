import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Modal } from './Modal.tsx'

type ConfirmDialogProps = {
  opened: boolean
  title: string
  /** The confirming button's label: a verb, never 'OK'. */
  confirm: string
  /** The cancelling button's label; 'Cancel' by default. */
  cancel?: string
  /** The action cannot be undone. */
  dangerous?: boolean
  busy?: boolean
  onConfirm(): void
  onClose(): void
  children: ReactNode
}

/** Confirm an action that cannot simply be undone. The initial focus is on Cancel. */
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
