import { deletePasskey, type Passkey } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { EndCredentialDialog } from './EndCredentialDialog.tsx'

type RemovePasskeyDialogProps = { passkey: Passkey; onClose(): void }

export function RemovePasskeyDialog({ passkey: { _id, name }, onClose }: RemovePasskeyDialogProps) {
  const { t } = useTranslation('security')
  return (
    <EndCredentialDialog
      title={t('passkeys.askRemove', { name })}
      explanation={t('passkeys.removeExplanation')}
      confirm={t('passkeys.remove')}
      done={t('passkeys.removed')}
      end={() => client.call(deletePasskey, { params: { passkeyId: _id } })}
      onClose={onClose}
    />
  )
}
