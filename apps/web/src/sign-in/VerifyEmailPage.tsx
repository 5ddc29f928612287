import { Text, TextInput } from '@mantine/core'
import type { ProblemError } from '@parley/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail } from '../session/session.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { ConfirmAddress } from './ConfirmAddress.tsx'
import { keptReturn } from './kept-return.ts'
import { SendLinkAgain } from './SendLinkAgain.tsx'
import { useContinue } from './use-continue.ts'
import { useFragmentToken } from './use-fragment-token.ts'

/** The page of the verification link; it offers a new link when this one is invalid. */
export function VerifyEmailPage() {
  const { t } = useTranslation('accounts')
  const { t: signInText } = useTranslation('sign-in')
  const { mailIsSent, mail } = useMail()
  const goOn = useContinue()
  const token = useFragmentToken()
  const [refusal, setRefusal] = useState<ProblemError>()
  const [email, setEmail] = useState('')
  if (token !== undefined && refusal === undefined) {
    return <ConfirmAddress token={token} onSignedIn={() => goOn(keptReturn() ?? '/')} onUseless={setRefusal} />
  }
  return (
    <>
      <PageTitle key="failed">{t('confirm.failed')}</PageTitle>
      <ProblemAlert error={refusal} />
      {token === undefined && <Text mb="lg">{t(`confirm.noToken.${mail}`)}</Text>}
      {mailIsSent && (
        <TextInput
          label={signInText('email')}
          type="email"
          autoComplete="email"
          mb="md"
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      )}
      <SendLinkAgain email={email.trim()} />
    </>
  )
}
