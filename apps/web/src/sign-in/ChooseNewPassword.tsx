import { Button, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ProblemError } from '@parley/client'
import { resetPassword } from '@parley/contract'
import { findPasswordViolation, minPasswordLength } from '@parley/rules/text/password'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { clearReturn, keptReturn } from './kept-return.ts'
import { isServerPage } from './use-continue.ts'

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

export function ChooseNewPassword({ token, onAskAgain }: ChooseNewPasswordProps) {
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
