import { Button, Text, TextInput } from '@mantine/core'
import { verifyEmail } from '@parley/contract'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { SendLinkAgain } from './SendLinkAgain.tsx'
import { useFragmentToken } from './use-fragment-token.ts'

/** Where the link that confirms an address leads. The link alone signs nobody in. */
export function VerifyEmailPage() {
  const { t } = useTranslation('accounts')
  const token = useFragmentToken()
  const [email, setEmail] = useState('')
  const { mutate, status, error } = useMutation({
    mutationFn: (sent: string) => client.call(verifyEmail, { body: { token: sent } }),
  })
  const sent = useRef(false)
  useEffect(() => {
    if (token === undefined || sent.current) return
    sent.current = true
    mutate(token)
  }, [token, mutate])

  if (status === 'success') {
    return (
      <>
        <PageTitle key="done">{t('confirm.done')}</PageTitle>
        <Text mb="lg">{t('confirm.next')}</Text>
        <Button component={Link} to="/sign-in" fullWidth>
          {t('signIn.submit')}
        </Button>
      </>
    )
  }
  if (token !== undefined && status !== 'error') return <PageTitle key="working">{t('confirm.working')}</PageTitle>
  return (
    <>
      <PageTitle key="failed">{t('confirm.failed')}</PageTitle>
      <ProblemAlert error={error} />
      {token === undefined && <Text mb="lg">{t('confirm.noToken')}</Text>}
      <TextInput
        label={t('email')}
        type="email"
        autoComplete="email"
        mb="md"
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <SendLinkAgain email={email.trim()} />
    </>
  )
}
