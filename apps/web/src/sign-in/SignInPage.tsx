import { Anchor, Stack, Text } from '@mantine/core'
import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../ui/Page.tsx'
import { useContinue } from './kept-return.ts'
import { OtherSignInMethods, SignInForm } from './SignInForm.tsx'

/** Continues at the requested page; a PIN in its fragment stays a fragment. */
export function SignInPage() {
  const { t } = useTranslation('accounts')
  const { t: signInText } = useTranslation('sign-in')
  const search = useSearch({ from: '/public/sign-in' })
  const { next = '/' } = search
  const { hash } = useLocation()
  const leadOn = useContinue()
  const wanted = hash === '' ? next : `${next}#${hash}`
  const goOn = () => leadOn(wanted)
  return (
    <>
      <PageTitle>{signInText('signIn')}</PageTitle>
      <Text c="dimmed" mb="md">
        {t('signIn.what')}
      </Text>
      <SignInForm onSignedIn={goOn} />
      <OtherSignInMethods onSignedIn={goOn} returnTo={wanted} />
      <Stack gap="xs" mt="lg">
        <Anchor component={Link} to="/reset-password" search>
          {signInText('forgotPassword')}
        </Anchor>
        <Anchor component={Link} to="/sign-up" search hash={hash}>
          {t('signIn.new')}
        </Anchor>
        <Anchor component={Link} to="/join">
          {t('signIn.join')}
        </Anchor>
      </Stack>
    </>
  )
}
