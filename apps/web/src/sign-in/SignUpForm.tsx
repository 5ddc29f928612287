import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type Profile, signUp } from '@parley/contract'
import { isEmailAddress } from '@parley/rules/text/email-address'
import { findPasswordViolation, minPasswordLength } from '@parley/rules/text/password'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ownTimeZoneName } from '../session/own-time-zone.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { serviceQuery, sessionQuery } from '../session/session.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { PasswordField } from '../ui/PasswordField.tsx'

type SignUpFormProps = {
  submit: string
  /** The invitation's token, from the fragment of its link. */
  invitation?: string
  onSignedIn(person: Profile): void
  /** The account is created when the link in the mail is opened. */
  onMailed(email: string): void
}

/** Create an account: the service's first one, which needs the set-up code, or a later one. */
export function SignUpForm({ submit, invitation, onSignedIn, onMailed }: SignUpFormProps) {
  const { t } = useTranslation(['accounts', 'violations'])
  const { t: signInText } = useTranslation('sign-in')
  const queryClient = useQueryClient()
  const fieldErrors = useFieldErrors()
  const { data: service } = useSuspenseQuery(serviceQuery)
  const form = useForm({
    initialValues: { name: '', lname: '', email: '', password: '', setUpCode: '' },
    validateInputOnBlur: true,
    validate: {
      name: (name) => (name.trim() === '' ? t('violations:required') : null),
      email: (email) => (isEmailAddress(email.trim()) ? null : t('emailInvalid')),
      password: (password, { email }) => {
        const violation = findPasswordViolation(password, { email })
        return violation === undefined ? null : t(`violations:${violation.code}`)
      },
      setUpCode: (code) => (service.setUpCodeRequired && code.trim() === '' ? t('violations:required') : null),
    },
  })
  const attempt = useMutation({
    mutationFn: ({ setUpCode, ...person }: typeof form.values) =>
      client.call(signUp, {
        body: {
          ...person,
          email: person.email.trim(),
          timeZone: ownTimeZoneName(),
          ...(invitation && { invitation }),
          ...(service.setUpCodeRequired && { setUpCode }),
        },
      }),
    onSuccess: async ({ token, user }, { email }) => {
      await queryClient.invalidateQueries({ queryKey: serviceQuery.queryKey })
      if (token === undefined) return onMailed(email)
      queryClient.setQueryData(sessionQuery.queryKey, user)
      onSignedIn(user)
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error))
      focusFirstInvalid()
    },
  })
  return (
    <>
      <ProblemAlert error={attempt.error} />
      <form noValidate onSubmit={form.onSubmit((values) => attempt.mutate(values), focusFirstInvalid)}>
        <TextInput label={t('firstName')} autoComplete="given-name" required mb="md" {...form.getInputProps('name')} />
        <TextInput label={t('lastName')} autoComplete="family-name" mb="md" {...form.getInputProps('lname')} />
        <TextInput
          label={signInText('email')}
          type="email"
          autoComplete="email"
          required
          mb="md"
          {...form.getInputProps('email')}
        />
        <PasswordField
          label={signInText('password')}
          description={t('passwordRule', { count: minPasswordLength })}
          autoComplete="new-password"
          required
          mb="lg"
          {...form.getInputProps('password')}
        />
        {service.setUpCodeRequired && (
          <TextInput
            label={t('setUpCode')}
            description={t('setUpCodeHint')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            dir="ltr"
            required
            mb="lg"
            {...form.getInputProps('setUpCode')}
          />
        )}
        <Button type="submit" fullWidth loading={attempt.isPending}>
          {submit}
        </Button>
      </form>
    </>
  )
}
