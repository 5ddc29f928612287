import { Text } from '@mantine/core'
import type { AccountSummary } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { accountName } from './account-name.ts'
import { useUpdateAccount } from './use-update-account.ts'

type DisableDialogProps = { account: AccountSummary; onClose(): void }

/** Disabling ends every session and token of the account at once; enabling it again does not restore them. */
export function DisableDialog({ account, onClose }: DisableDialogProps) {
  const { t } = useTranslation('administration')
  useReturnFocus()
  const update = useUpdateAccount()
  const name = accountName(account)
  return (
    <ConfirmDialog
      opened
      dangerous
      title={t('disable.question', { name })}
      confirm={t('disable.confirm')}
      busy={update.isPending}
      onConfirm={() =>
        update.mutate(
          { account, rights: { disabled: true }, done: t('disable.done', { name }) },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <ProblemAlert error={update.error} />
      <Text>{t('disable.explanation', { email: account.email })}</Text>
    </ConfirmDialog>
  )
}
