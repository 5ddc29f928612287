import { Menu, Text } from '@mantine/core'
import type { AccountSummary } from '@parley/contract'
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
import { hiddenBefore, MainCell, QuietCell, TableMenu } from '../ui/DataTable.tsx'
import { useNow } from '../ui/hooks/use-now.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { Mark } from '../ui/Mark.tsx'
import { Portrait } from '../ui/Portrait.tsx'
import { showToast } from '../ui/toast.ts'
import { useUpdateAccount } from './account-mutations.ts'
import { accountKeys, accountName, type ListedAccount } from './account-queries.ts'

const DeleteAccountDialog = lazy(async () => ({
  default: (await import('../security/DeleteAccountDialog.tsx')).DeleteAccountDialog,
}))

const rights = ['admin', 'reviewer', 'oauthEnabled'] as const

/** Relative times have minute precision. */
const everyMs = 60_000

/** One account of the table, its rights, and a menu that changes it. */
export function AccountRow({ account }: { account: ListedAccount }) {
  const { t } = useTranslation(['administration', 'app'])
  const { shortDate, dateTime, relative } = useDates()
  const now = useNow(everyMs)
  const { email, avatar, name: firstName, lname, photoUrl, lastSeenOn, meetings, createdOn } = account
  const seen =
    lastSeenOn === null ? (
      t('app:never')
    ) : (
      <time dateTime={lastSeenOn} title={dateTime(lastSeenOn)}>
        {relative(lastSeenOn, now)}
      </time>
    )
  return (
    <tr>
      <MainCell
        picture={<Portrait number={avatar} name={firstName || email} lastName={lname} photo={photoUrl} />}
        name={accountName(account)}
        marks={<AccountMarks account={account} />}
        below={
          <>
            <bdi>{email}</bdi> · {seen}
          </>
        }
      />
      <QuietCell from="tablet" whole={email}>
        <bdi>{email}</bdi>
      </QuietCell>
      <QuietCell from="tablet">{seen}</QuietCell>
      <td {...hiddenBefore('desktop')} data-numeric>
        {meetings}
      </td>
      <QuietCell from="desktop">{shortDate(createdOn)}</QuietCell>
      <td data-menu>
        <AccountMenu account={account} />
      </td>
    </tr>
  )
}

function AccountMarks({ account }: { account: AccountSummary }) {
  const { t } = useTranslation('administration')
  return (
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
  )
}

function AccountMenu({ account }: { account: AccountSummary }) {
  const { t } = useTranslation('administration')
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
      <TableMenu label={t('accounts.changeNamed', { name })} loading={update.isPending}>
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
      </TableMenu>
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
