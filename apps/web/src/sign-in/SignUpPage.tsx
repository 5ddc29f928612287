import { Anchor, Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serviceQuery, useMail } from '../session/session.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { CheckYourEmail } from './CheckYourEmail.tsx'
import { keepReturn } from './kept-return.ts'
import { SignUpForm } from './SignUpForm.tsx'
import { useContinue } from './use-continue.ts'

export function SignUpPage() {
  const { t } = useTranslation('accounts')
  const { t: signInText } = useTranslation('sign-in')
  const { mail } = useMail()
  const search = useSearch({ from: '/entrance/sign-up' })
  const { next = '/' } = search
  const { hash } = useLocation()
  const invitation = new URLSearchParams(hash).get('invitation') ?? undefined
  // The fragment belongs to the invitation, or to the page to open afterwards.
  const leadOn = useContinue()
  const goOn = () => leadOn(hash === '' || invitation !== undefined ? next : `${next}#${hash}`)
  const { data: service } = useSuspenseQuery(serviceQuery)
  const [mailedTo, setMailedTo] = useState<string>()
  if (mailedTo !== undefined) return <CheckYourEmail email={mailedTo} />

  const signIn = (
    <Anchor component={Link} to="/sign-in" search {...(invitation === undefined && { hash })}>
      {t('signUp.known')}
    </Anchor>
  )
  const shut = !service.firstRun && (service.signUp === 'closed' || (service.signUp === 'invite' && !invitation))
  return (
    <>
      <PageTitle>{signInText('createAccount')}</PageTitle>
      {shut ? (
        <Text>{service.signUp === 'closed' ? t('signUp.closed') : t(`signUp.invitationOnly.${mail}`)}</Text>
      ) : (
        <>
          {invitation !== undefined && <Text mb="md">{t('signUp.invited')}</Text>}
          <SignUpForm
            submit={t('signUp.submit')}
            {...(invitation !== undefined && { invitation })}
            onSignedIn={goOn}
            onMailed={(email) => {
              if (search.next !== undefined) keepReturn(search.next)
              setMailedTo(email)
            }}
          />
        </>
      )}
      <Stack gap="xs" mt="lg" align="flex-start">
        {signIn}
        <Anchor component={Link} to="/join">
          {t('signIn.join')}
        </Anchor>
      </Stack>
    </>
  )
}
