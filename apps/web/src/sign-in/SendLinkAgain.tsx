import { Button, Text } from '@mantine/core'
import { verifyEmail } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail } from '../session/session.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'

/** Request another mail with a verification link; without a mail server, say who can help. */
export function SendLinkAgain({ email }: { email: string }) {
  const { t } = useTranslation('accounts')
  const { mailIsSent, mail } = useMail()
  const request = useMutation({ mutationFn: () => client.call(verifyEmail, { body: { email } }) })
  if (!mailIsSent) return <Text mb="md">{t(`confirm.askedAgain.${mail}`)}</Text>
  return (
    <>
      <ProblemAlert error={request.error} />
      <div role="status">{request.isSuccess && <Text mb="md">{t(`confirm.askedAgain.${mail}`)}</Text>}</div>
      {!request.isSuccess && (
        <Button variant="default" fullWidth mb="md" loading={request.isPending} onClick={() => request.mutate()}>
          {t('confirm.again')}
        </Button>
      )}
    </>
  )
}
