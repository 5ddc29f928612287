import { Anchor, Text } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../ui/PageTitle.tsx'
import { CheckYourEmail } from './CheckYourEmail.tsx'
import { SignUpForm } from './SignUpForm.tsx'

/** The first page of a new service: the first account becomes its administrator. */
export function WelcomePage() {
  const { t } = useTranslation('accounts')
  const router = useRouter()
  const [mailedTo, setMailedTo] = useState<string>()
  if (mailedTo !== undefined) return <CheckYourEmail email={mailedTo} />
  return (
    <>
      <PageTitle>{t('welcome.title')}</PageTitle>
      <Text mb="lg">{t('welcome.explanation')}</Text>
      <SignUpForm submit={t('welcome.submit')} onSignedIn={() => router.history.replace('/')} onMailed={setMailedTo} />
      <Anchor component={Link} to="/join" mt="lg" display="inline-block">
        {t('signIn.join')}
      </Anchor>
    </>
  )
}
