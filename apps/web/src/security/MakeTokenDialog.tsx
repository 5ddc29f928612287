import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { SecretOnce } from '../ui/SecretOnce.tsx'
import { MakeTokenForm } from './MakeTokenForm.tsx'

/**
 * The new token replaces the form. Then only its own button closes the dialog, because the token is never shown again.
 */
export function MakeTokenDialog({ onClose }: { onClose(): void }) {
  useReturnFocus()
  const { t } = useTranslation(['security', 'app'])
  const [token, setToken] = useState<string>()
  const shown = token !== undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(shown ? 'security:tokens.made' : 'security:tokens.make')}
      closeOnClickOutside={!shown}
      closeOnEscape={!shown}
      withCloseButton={!shown}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      {shown ? (
        <SecretOnce label={t('security:tokens.token')} secret={token} onKept={onClose} />
      ) : (
        <MakeTokenForm onMade={setToken} onClose={onClose} />
      )}
    </Modal>
  )
}
