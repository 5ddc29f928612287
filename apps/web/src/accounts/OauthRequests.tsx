import { Button, Text } from '@mantine/core'
import type { AccountSummary } from '@parley/contract'
import { IconCode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useProblemWords } from '../session/problem-words.ts'
import { useMail } from '../session/session.ts'
import { useDateFormat } from '../ui/hooks/use-date-format.ts'
import { Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import { accountName } from './account-name.ts'
import { oauthRequestsQuery } from './account-queries.ts'
import { DeclineDialog } from './DeclineDialog.tsx'
import { useUpdateAccount } from './use-update-account.ts'

/** The pending requests for OAuth (Beta) with their reasons; nothing when there are none. */
export function OauthRequests() {
  const { t } = useTranslation('administration')
  const { data, error } = useQuery(oauthRequestsQuery)
  if (error !== null) return <ProblemAlert error={error} />
  if (data === undefined || data.accounts.length === 0) return null
  return (
    <Section title={t('requests.title')}>
      {data.totalCount > data.accounts.length && (
        <Text size="sm" c="dimmed" mb="sm">
          {t('requests.more', { number: data.accounts.length })}
        </Text>
      )}
      <Rows label={t('requests.title')}>
        {data.accounts.map((account) => (
          <RequestRow key={account._id} account={account} />
        ))}
      </Rows>
    </Section>
  )
}

function RequestRow({ account }: { account: AccountSummary }) {
  const { t } = useTranslation(['administration', 'app'])
  const { mail } = useMail()
  const { moment } = useDateFormat()
  const problemWords = useProblemWords()
  const update = useUpdateAccount()
  const [declining, setDeclining] = useState(false)
  const { reason = '', requestedOn = account.createdOn } = account.oauthRequest ?? {}
  const name = accountName(account)
  return (
    <Row
      icon={<IconCode size={20} />}
      name={name}
      details={[reason, t('requests.asked', { email: account.email, moment: moment(requestedOn) })]}
      actions={
        <>
          <Button
            size="xs"
            loading={update.isPending}
            aria-label={t('requests.acceptNamed', { name })}
            onClick={() =>
              update.mutate(
                { account, rights: { oauthEnabled: true }, done: t(`requests.accepted.${mail}`, { name }) },
                { onError: (problem) => showToast({ kind: 'problem', message: problemWords(problem) }) },
              )
            }
          >
            {t('app:accept')}
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={t('requests.declineNamed', { name })}
            onClick={() => setDeclining(true)}
          >
            {t('requests.decline')}
          </Button>
          {declining && <DeclineDialog account={account} onClose={() => setDeclining(false)} />}
        </>
      }
    />
  )
}
