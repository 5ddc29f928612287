import { useTranslation } from 'react-i18next'
import { JoinByCodeForm } from '../../join/JoinByCodeForm.tsx'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'

export function JoinDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={t('commands.join')} closeButtonProps={{ 'aria-label': t('close') }}>
      <JoinByCodeForm />
    </Modal>
  )
}
