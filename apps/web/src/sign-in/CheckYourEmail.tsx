import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMail } from '../session/session.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { SendLinkAgain } from './SendLinkAgain.tsx'

/** Shown after a sign-up whose email address must be verified. */
export function CheckYourEmail({ email }: { email: string }) {
  const { t } = useTranslation('accounts')
  const { mailIsSent, mail } = useMail()
  return (
    <>
      <PageTitle>{t(`checkEmail.${mail}`)}</PageTitle>
      <Text mb="lg">{t(`confirm.asked.${mail}`, { email })}</Text>
      {mailIsSent && <SendLinkAgain email={email} />}
    </>
  )
}
