import { Button, Group, Text, Textarea } from '@mantine/core'
import type { AccountSummary } from '@parley/contract'
import { IconCode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useProblemWords } from '../session/problem-words.ts'
import { useMail } from '../session/session.ts'
import { useDates } from '../texts/dates.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { Modal } from '../ui/Modal.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import { useDeclineOauthRequest, useUpdateAccount } from './account-mutations.ts'
import { accountName, oauthRequestsQuery } from './account-queries.ts'

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
  const { dateTime } = useDates()
  const problemWords = useProblemWords()
  const update = useUpdateAccount()
  const [declining, setDeclining] = useState(false)
  const { reason = '', requestedOn = account.createdOn } = account.oauthRequest ?? {}
  const name = accountName(account)
  return (
    <Row
      icon={<IconCode size={20} />}
      name={name}
      details={[reason, t('requests.asked', { email: account.email, moment: dateTime(requestedOn) })]}
      actions={
        <>
          <Button
            size="xs"
            variant="light"
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

/** The API's limit. */
const maxReasonLength = 1_000

type DeclineDialogProps = { account: AccountSummary; onClose(): void }

/** Decline a request for OAuth. The applicant reads the reason. */
function DeclineDialog({ account, onClose }: DeclineDialogProps) {
  const { t } = useTranslation(['administration', 'app'])
  const { mail } = useMail()
  useReturnFocus()
  const [reason, setReason] = useState('')
  const name = accountName(account)
  const decline = useDeclineOauthRequest(account._id, {
    onSaved: () => {
      showToast({ message: t('requests.declined', { name }) })
      onClose()
    },
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    decline.mutate(reason.trim())
  }
  return (
    <Modal
      opened
      title={t('requests.askDecline', { name })}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <form noValidate onSubmit={send}>
        <ProblemAlert error={decline.error} />
        <Text mb="md">{t(`requests.declineExplanation.${mail}`)}</Text>
        <Textarea
          label={t('requests.reason')}
          description={t(`requests.reasonHint.${mail}`)}
          rows={3}
          maxLength={maxReasonLength}
          value={reason}
          data-autofocus
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" color="red" loading={decline.isPending}>
            {t('app:decline')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
