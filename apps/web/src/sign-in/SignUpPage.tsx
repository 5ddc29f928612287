import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type Profile, signUp } from '@parley/contract'
import { isEmailAddress } from '@parley/rules/text/email-address'
import { findPasswordViolation, minPasswordLength } from '@parley/rules/text/password'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ownTimeZoneName } from '../session/own-time-zone.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { beginSession, serviceQuery, useMail } from '../session/session.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { PageTitle } from '../ui/Page.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import { keepReturn, useContinue } from './kept-return.ts'
import { SendLinkAgain } from './SendLinkAgain.tsx'

export function SignUpPage() {
  const { t } = useTranslation('accounts')
  const { t: signInText } = useTranslation('sign-in')
  const { mail } = useMail()
  const search = useSearch({ from: '/public/sign-up' })
  const { next = '/' } = search
  const { hash } = useLocation()
  const fragment = new URLSearchParams(hash)
  const invitation = fragment.get('invitation') ?? undefined
  // The fragment belongs to the invitation, or to the page to open afterwards.
  const leadOn = useContinue()
  const goOn = () => leadOn(hash === '' || invitation !== undefined ? next : `${next}#${hash}`)
  const { data: service } = useSuspenseQuery(serviceQuery)
  const [mailedTo, setMailedTo] = useState<string>()
  if (mailedTo !== undefined) return <CheckYourEmail email={mailedTo} />

  const signIn = (
    <Anchor component={Link} to="/sign-in" search {...(invitation === undefined && { hash })}>
      {t('signUp.known')}
    </Anchor>
  )
  const shut = !service.firstRun && (service.signUp === 'closed' || (service.signUp === 'invite' && !invitation))
  return (
    <>
      <PageTitle>{signInText('createAccount')}</PageTitle>
      {shut ? (
        <Text>{service.signUp === 'closed' ? t('signUp.closed') : t(`signUp.invitationOnly.${mail}`)}</Text>
      ) : (
        <>
          {invitation !== undefined && <Text mb="md">{t('signUp.invited')}</Text>}
          <SignUpForm
            submit={t('signUp.submit')}
            {...(invitation !== undefined && { invitation, invited: fragment.get('email') ?? '' })}
            onSignedIn={goOn}
            onMailed={(email) => {
              if (search.next !== undefined) keepReturn(search.next)
              setMailedTo(email)
            }}
          />
        </>
      )}
      <Stack gap="xs" mt="lg" align="flex-start">
        {signIn}
        {/* A new service has no meeting to join. */}
        {!service.firstRun && (
          <Anchor component={Link} to="/join">
            {t('signIn.join')}
          </Anchor>
        )}
      </Stack>
    </>
  )
}

/** The first page of a new service: the first account becomes its administrator. */
export function WelcomePage() {
  const { t } = useTranslation('accounts')
  const router = useRouter()
  const [mailedTo, setMailedTo] = useState<string>()
  if (mailedTo !== undefined) return <CheckYourEmail email={mailedTo} />
  return (
    <>
      <PageTitle>{t('welcome.title')}</PageTitle>
      <Text c="dimmed" mb="xs">
        {t('signIn.what')}
      </Text>
      <Text mb="lg">{t('welcome.explanation')}</Text>
      <SignUpForm submit={t('welcome.submit')} onSignedIn={() => router.history.replace('/')} onMailed={setMailedTo} />
    </>
  )
}

type SignUpFormProps = {
  submit: string
  /** The invitation's token, from the fragment of its link. */
  invitation?: string
  /** The invited address, from the same place. */
  invited?: string
  onSignedIn(person: Profile): void
  /** The account is created when the link in the mail is opened. */
  onMailed(email: string): void
}

/** Create an account: the service's first one, which needs the set-up code, or a later one. */
function SignUpForm({ submit, invitation, invited = '', onSignedIn, onMailed }: SignUpFormProps) {
  const { t } = useTranslation(['accounts', 'violations'])
  const { t: signInText } = useTranslation('sign-in')
  const queryClient = useQueryClient()
  const fieldErrors = useFieldErrors()
  const { data: service } = useSuspenseQuery(serviceQuery)
  const form = useForm({
    initialValues: { name: '', lname: '', email: invited, password: '', setUpCode: '' },
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
      beginSession(queryClient, user)
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

/** Shown after a sign-up whose email address must be verified. */
function CheckYourEmail({ email }: { email: string }) {
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
