import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'

type RemoveDialogProps = { name: string; onRemove(): Promise<boolean>; onClose(): void }

/** Confirm a removal: the participant can rejoin only when a host admits them. */
export function RemoveDialog({ name, onRemove, onClose }: RemoveDialogProps) {
  const { t } = useTranslation('room')
  const [busy, setBusy] = useState(false)
  useReturnFocus()
  const remove = async () => {
    setBusy(true)
    await onRemove()
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      dangerous
      busy={busy}
      title={t('remove.title', { name })}
      confirm={t('remove.confirm')}
      onConfirm={remove}
      onClose={onClose}
    >
      <Text>{t('remove.text')}</Text>
    </ConfirmDialog>
  )
}
