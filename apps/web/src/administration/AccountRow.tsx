import { Button, Menu, Text } from '@mantine/core'
import type { AccountSummary } from '@parley/contract'
import { IconChevronDown, IconUser } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useClearSession } from '../security/use-clear-session.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useProblemWords } from '../session/problem-words.ts'
import { usePerson } from '../session/session.ts'
import { useDates } from '../texts/dates.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { Mark } from '../ui/Mark.tsx'
import { Row } from '../ui/Rows.tsx'
import { showToast } from '../ui/toast.ts'
import { useUpdateAccount } from './account-mutations.ts'
import { accountKeys, accountName } from './account-queries.ts'

const DeleteAccountDialog = lazy(async () => ({
  default: (await import('../security/DeleteAccountDialog.tsx')).DeleteAccountDialog,
}))

const rights = ['admin', 'reviewer', 'oauthEnabled'] as const

/** Show one account, its rights, and a menu that changes it. */
export function AccountRow({ account }: { account: AccountSummary }) {
  const { t } = useTranslation('administration')
  const { date } = useDates()
  const name = accountName(account)
  return (
    <Row
      icon={<IconUser size={20} />}
      name={name}
      marks={
        <>
          {account.disabled && <Mark tone="danger">{t('accounts.disabled')}</Mark>}
          {!account.emailVerified && <Mark tone="caution">{t('accounts.unconfirmed')}</Mark>}
          {rights
            .filter((right) => account[right])
            .map((right) => (
              <Mark key={right} tone={right === 'oauthEnabled' ? 'neutral' : 'good'}>
                {t(`rights.${right}.name`)}
              </Mark>
            ))}
        </>
      }
      details={[account.email, t('accounts.since', { day: date(account.createdOn) })]}
      actions={<AccountMenu account={account} />}
    />
  )
}

function AccountMenu({ account }: { account: AccountSummary }) {
  const { t } = useTranslation(['administration', 'app'])
  const problemWords = useProblemWords()
  const update = useUpdateAccount()
  const [disabling, setDisabling] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const person = usePerson()
  const queryClient = useQueryClient()
  const clearSession = useClearSession()
  const name = accountName(account)
  const mutateOptions = { onError: (error: unknown) => showToast({ kind: 'problem', message: problemWords(error) }) }
  const toggle = (right: (typeof rights)[number]) =>
    update.mutate(
      {
        account,
        rights: { [right]: !account[right] },
        undo: { [right]: account[right] },
        done: t(`rights.${right}.${account[right] ? 'taken' : 'given'}`, { name }),
      },
      mutateOptions,
    )
  const deleted = () => {
    if (account._id === person._id) return clearSession()
    setDeleting(false)
    showToast({ message: t('delete.done', { name }) })
    void queryClient.invalidateQueries({ queryKey: accountKeys.all })
  }
  const enable = () =>
    update.mutate({ account, rights: { disabled: false }, done: t('disable.enabled', { name }) }, mutateOptions)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            loading={update.isPending}
            rightSection={<IconChevronDown size={16} aria-hidden />}
            aria-label={t('accounts.changeNamed', { name })}
          >
            {t('app:change')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {rights.map((right) => (
            <Menu.Item key={right} onClick={() => toggle(right)}>
              {t(`rights.${right}.${account[right] ? 'take' : 'give'}`)}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            renderRoot={(props) => <Link to="/administration/audit-log" search={{ subject: account._id }} {...props} />}
          >
            {t('accounts.log')}
          </Menu.Item>
          {account.disabled ? (
            <Menu.Item onClick={enable}>{t('disable.enable')}</Menu.Item>
          ) : (
            <Menu.Item color="red" onClick={() => setDisabling(true)}>
              {t('disable.begin')}
            </Menu.Item>
          )}
          <Menu.Item color="red" onClick={() => setDeleting(true)}>
            {t('delete.begin')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {deleting && (
        <Suspense>
          <DeleteAccountDialog
            account={account}
            own={account._id === person._id}
            onDeleted={deleted}
            onClose={() => setDeleting(false)}
          />
        </Suspense>
      )}
      {disabling && <DisableDialog account={account} onClose={() => setDisabling(false)} />}
    </>
  )
}

type DisableDialogProps = { account: AccountSummary; onClose(): void }

/** Disabling ends every session and token of the account at once; enabling it again does not restore them. */
function DisableDialog({ account, onClose }: DisableDialogProps) {
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
