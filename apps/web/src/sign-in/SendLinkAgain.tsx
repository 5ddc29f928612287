import { Button, Text } from '@mantine/core'
import { verifyEmail } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'

/** Request another mail with a verification link. */
export function SendLinkAgain({ email }: { email: string }) {
  const { t } = useTranslation('accounts')
  const request = useMutation({ mutationFn: () => client.call(verifyEmail, { body: { email } }) })
  return (
    <>
      <ProblemAlert error={request.error} />
      <div role="status">{request.isSuccess && <Text mb="md">{t('confirm.sentAgain')}</Text>}</div>
      {!request.isSuccess && (
        <Button variant="default" fullWidth mb="md" loading={request.isPending} onClick={() => request.mutate()}>
          {t('confirm.again')}
        </Button>
      )}
    </>
  )
}
