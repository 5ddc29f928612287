import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import type { ConfirmedAction } from './person-actions.ts'

type PersonActionDialogProps = {
  action: ConfirmedAction
  name: string
  onConfirm(): Promise<boolean>
  onClose(): void
}

/** Ask before an action that changes what a participant may do in the meeting. */
export function PersonActionDialog({ action, name, onConfirm, onClose }: PersonActionDialogProps) {
  const { t } = useTranslation('room')
  const [busy, setBusy] = useState(false)
  useReturnFocus()
  const confirm = async () => {
    setBusy(true)
    await onConfirm()
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      dangerous={action === 'remove'}
      busy={busy}
      title={t(`people.ask.${action}.title`, { name })}
      confirm={t(`people.ask.${action}.confirm`)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text>{t(`people.ask.${action}.text`)}</Text>
    </ConfirmDialog>
  )
}
