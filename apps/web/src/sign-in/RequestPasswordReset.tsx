import { Anchor, Button, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { resetPassword } from '@parley/contract'
import { isEmailAddress } from '@parley/rules/text/email-address'
import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail } from '../session/session.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { keepReturn } from './kept-return.ts'

/** The answer does not reveal whether the account exists. Without a mail server there is nothing to request. */
export function RequestPasswordReset() {
  const { t } = useTranslation('accounts')
  const { t: signInText } = useTranslation('sign-in')
  const { mailIsSent, mail } = useMail()
  const fieldErrors = useFieldErrors()
  const { next } = useSearch({ from: '/entrance/reset-password' })
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: (email) => (isEmailAddress(email.trim()) ? null : t('emailInvalid')) },
  })
  const request = useMutation({
    mutationFn: ({ email }: typeof form.values) => client.call(resetPassword, { body: { email: email.trim() } }),
    onSuccess: () => {
      if (next !== undefined) keepReturn(next)
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error))
      focusFirstInvalid()
    },
  })
  if (request.isSuccess) {
    return (
      <>
        <PageTitle key="sent">{t(`checkEmail.${mail}`)}</PageTitle>
        <Text role="status">{t(`reset.asked.${mail}`, { email: form.values.email })}</Text>
      </>
    )
  }
  return (
    <>
      <PageTitle key="ask">{signInText('chooseNewPassword')}</PageTitle>
      <Text mb="lg">{t(`reset.ask.${mail}`)}</Text>
      <ProblemAlert error={request.error} />
      {mailIsSent && (
        <form noValidate onSubmit={form.onSubmit((values) => request.mutate(values), focusFirstInvalid)}>
          <TextInput
            label={signInText('email')}
            type="email"
            autoComplete="email"
            required
            mb="lg"
            {...form.getInputProps('email')}
          />
          <Button type="submit" fullWidth loading={request.isPending}>
            {t('reset.submit')}
          </Button>
        </form>
      )}
      <Anchor component={Link} to="/sign-in" search mt="lg" display="inline-block">
        {t('signUp.known')}
      </Anchor>
    </>
  )
}
