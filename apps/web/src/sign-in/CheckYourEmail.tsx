import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../ui/PageTitle.tsx'
import { SendLinkAgain } from './SendLinkAgain.tsx'

/** After a sign-up whose address has to be confirmed. */
export function CheckYourEmail({ email }: { email: string }) {
  const { t } = useTranslation('accounts')
  return (
    <>
      <PageTitle>{t('confirm.title')}</PageTitle>
      <Text mb="lg">{t('confirm.sent', { email })}</Text>
      <SendLinkAgain email={email} />
    </>
  )
}
