import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { JoinByCodeForm } from '../../join/JoinByCodeForm.tsx'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'

export function JoinDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['meetings', 'app'])
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={t('app:commands.join')} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <JoinByCodeForm />
    </Modal>
  )
}
