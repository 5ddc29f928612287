import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../ui/PageTitle.tsx'
import { SendLinkAgain } from './SendLinkAgain.tsx'

/** Shown after a sign-up whose email address must be verified. */
export function CheckYourEmail({ email }: { email: string }) {
  const { t } = useTranslation('accounts')
  return (
    <>
      <PageTitle>{t('checkEmail')}</PageTitle>
      <Text mb="lg">{t('confirm.sent', { email })}</Text>
      <SendLinkAgain email={email} />
    </>
  )
}
