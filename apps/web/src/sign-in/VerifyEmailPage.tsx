import { Button, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ProblemError } from '@parley/client'
import { verifyEmail } from '@parley/contract'
import { findPasswordViolation, minPasswordLength } from '@parley/rules/text/password'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { beginSession, serviceQuery, useMail } from '../session/session.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { PageTitle } from '../ui/Page.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { keptReturn, useContinue } from './kept-return.ts'
import { SendLinkAgain } from './SendLinkAgain.tsx'
import { useFragmentToken } from './use-fragment-token.ts'

/** The page of the verification link; it offers a new link when this one is invalid. */
export function VerifyEmailPage() {
  const { t } = useTranslation('accounts')
  const { t: signInText } = useTranslation('sign-in')
  const { mailIsSent, mail } = useMail()
  const goOn = useContinue()
  const token = useFragmentToken()
  const [refusal, setRefusal] = useState<ProblemError>()
  const [email, setEmail] = useState('')
  if (token !== undefined && refusal === undefined) {
    return <ConfirmAddress token={token} onSignedIn={() => goOn(keptReturn() ?? '/')} onUseless={setRefusal} />
  }
  return (
    <>
      <PageTitle key="failed">{t('confirm.failed')}</PageTitle>
      <ProblemAlert error={refusal} />
      {token === undefined && <Text mb="lg">{t(`confirm.noToken.${mail}`)}</Text>}
      {mailIsSent && (
        <TextInput
          label={signInText('email')}
          type="email"
          autoComplete="email"
          mb="md"
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      )}
      <SendLinkAgain email={email.trim()} />
    </>
  )
}

type ConfirmAddressProps = {
  token: string
  onSignedIn(): void
  /** The link is invalid or has expired. */
  onUseless(refusal: ProblemError): void
}

/**
 * Verify an email address together with the password chosen at sign-up. A reader of the mail who does not know that
 * password chooses a new one: another person may have signed up with the address and loses access.
 */
function ConfirmAddress({ token, onSignedIn, onUseless }: ConfirmAddressProps) {
  const { t } = useTranslation(['accounts', 'violations'])
  const { t: signInText } = useTranslation('sign-in')
  const queryClient = useQueryClient()
  const fieldErrors = useFieldErrors()
  const [isStranger, setIsStranger] = useState(false)
  const form = useForm({
    initialValues: { password: '', newPassword: '' },
    validate: {
      password: (password) => (isStranger || password !== '' ? null : t('violations:required')),
      newPassword: (password) => {
        const violation = isStranger ? findPasswordViolation(password, { email: undefined }) : undefined
        return violation === undefined ? null : t(`violations:${violation.code}`)
      },
    },
  })
  const attempt = useMutation({
    mutationFn: ({ password, newPassword }: typeof form.values) =>
      client.call(verifyEmail, { body: { token, ...(isStranger ? { newPassword } : { password }) } }),
    onSuccess: async ({ user }) => {
      await queryClient.invalidateQueries({ queryKey: serviceQuery.queryKey })
      if (user !== undefined) beginSession(queryClient, user)
      onSignedIn()
    },
    onError: (error) => {
      if (isProblem(error, 'invalid_token')) return onUseless(error)
      form.setErrors(isProblem(error, 'wrong_credentials') ? { password: t('confirm.wrong') } : fieldErrors(error))
      focusFirstInvalid()
    },
  })
  const choose = (stranger: boolean) => {
    attempt.reset()
    form.reset()
    setIsStranger(stranger)
  }
  return (
    <>
      <PageTitle key={String(isStranger)}>{t(isStranger ? 'confirm.chooseTitle' : 'confirm.askTitle')}</PageTitle>
      <Text mb="lg">{t(isStranger ? 'confirm.consequence' : 'confirm.ask')}</Text>
      {!isProblem(attempt.error, 'wrong_credentials') && <ProblemAlert error={attempt.error} />}
      <form noValidate onSubmit={form.onSubmit((values) => attempt.mutate(values), focusFirstInvalid)}>
        {isStranger ? (
          <PasswordField
            key="new"
            label={t('newPassword')}
            description={t('passwordRule', { count: minPasswordLength })}
            autoComplete="new-password"
            required
            mb="lg"
            {...form.getInputProps('newPassword')}
          />
        ) : (
          <PasswordField
            key="chosen"
            label={signInText('password')}
            autoComplete="current-password"
            required
            mb="lg"
            {...form.getInputProps('password')}
          />
        )}
        <Button type="submit" fullWidth loading={attempt.isPending}>
          {t('confirm.submit')}
        </Button>
      </form>
      <Button variant="subtle" fullWidth mt="md" onClick={() => choose(!isStranger)}>
        {t(isStranger ? 'confirm.known' : 'confirm.unknown')}
      </Button>
    </>
  )
}

const isProblem = (error: unknown, code: string): error is ProblemError =>
  error instanceof ProblemError && error.problem.code === code
