import { Anchor, Button, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ProblemError } from '@parley/client'
import { resetPassword } from '@parley/contract'
import { isEmailAddress } from '@parley/rules/text/email-address'
import { findPasswordViolation, minPasswordLength } from '@parley/rules/text/password'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail } from '../session/session.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { PageTitle } from '../ui/Page.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { clearReturn, isServerPage, keepReturn, keptReturn } from './kept-return.ts'
import { useFragmentToken } from './use-fragment-token.ts'

/** Without the link of a mail, request one; with it, choose a new password. */
export function ResetPasswordPage() {
  const token = useFragmentToken()
  const [asksAgain, setAsksAgain] = useState(false)
  if (token === undefined || asksAgain) return <RequestPasswordReset />
  return <ChooseNewPassword token={token} onAskAgain={() => setAsksAgain(true)} />
}

/** The answer does not reveal whether the account exists. Without a mail server there is nothing to request. */
function RequestPasswordReset() {
  const { t } = useTranslation('accounts')
  const { t: signInText } = useTranslation('sign-in')
  const { mailIsSent, mail } = useMail()
  const fieldErrors = useFieldErrors()
  const { next } = useSearch({ from: '/public/reset-password' })
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

/** Continues at the sign-in of the app's authorization request, when the person came from one. */
function SignInAfterwards() {
  const { t: signInText } = useTranslation('sign-in')
  const next = keptReturn()
  if (next === undefined) {
    return (
      <Button component={Link} to="/sign-in" fullWidth>
        {signInText('signIn')}
      </Button>
    )
  }
  const address = isServerPage(next) ? next : `/sign-in?${new URLSearchParams({ next })}`
  return (
    <Button component="a" href={address} onClick={clearReturn} fullWidth>
      {signInText('signIn')}
    </Button>
  )
}

type ChooseNewPasswordProps = { token: string; onAskAgain(): void }

function ChooseNewPassword({ token, onAskAgain }: ChooseNewPasswordProps) {
  const { t } = useTranslation(['accounts', 'violations'])
  const { t: signInText } = useTranslation('sign-in')
  const fieldErrors = useFieldErrors()
  const form = useForm({
    initialValues: { newPassword: '' },
    validate: {
      newPassword: (password) => {
        const violation = findPasswordViolation(password, { email: undefined })
        return violation === undefined ? null : t(`violations:${violation.code}`)
      },
    },
  })
  const change = useMutation({
    mutationFn: (body: typeof form.values) => client.call(resetPassword, { body: { token, ...body } }),
    onError: (error) => {
      form.setErrors(fieldErrors(error))
      focusFirstInvalid()
    },
  })
  if (change.isSuccess) {
    return (
      <>
        <PageTitle key="done">{t('reset.done')}</PageTitle>
        <Text mb="lg">{t('reset.next')}</Text>
        <SignInAfterwards />
      </>
    )
  }
  const useless = change.error instanceof ProblemError && change.error.problem.code === 'invalid_token'
  return (
    <>
      <PageTitle key="choose">{signInText('chooseNewPassword')}</PageTitle>
      <Text mb="lg">{t('reset.consequence')}</Text>
      <ProblemAlert error={change.error} />
      {useless && (
        <Button variant="default" fullWidth mb="md" onClick={onAskAgain}>
          {t('reset.again')}
        </Button>
      )}
      <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values), focusFirstInvalid)}>
        <PasswordField
          label={t('newPassword')}
          description={t('passwordRule', { count: minPasswordLength })}
          autoComplete="new-password"
          required
          mb="lg"
          {...form.getInputProps('newPassword')}
        />
        <Button type="submit" fullWidth loading={change.isPending}>
          {t('reset.save')}
        </Button>
      </form>
    </>
  )
}
