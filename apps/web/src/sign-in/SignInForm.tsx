import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ProblemError } from '@parley/client'
import { type Profile, signIn } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { sessionQuery } from '../session/session.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { PasswordField } from '../ui/PasswordField.tsx'
import { SendLinkAgain } from './SendLinkAgain.tsx'

/** Sign in with a password, on the sign-in page and above a page whose session has ended. */
export function SignInForm({ onSignedIn }: { onSignedIn(person: Profile): void }) {
  const { t: signInText } = useTranslation('sign-in')
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { email: '', password: '' } })
  const attempt = useMutation({
    mutationFn: (body: typeof form.values) => client.call(signIn, { body }),
    onSuccess: ({ user }) => {
      queryClient.setQueryData(sessionQuery.queryKey, user)
      onSignedIn(user)
    },
  })
  const unconfirmed = attempt.error instanceof ProblemError && attempt.error.problem.code === 'email_not_verified'
  return (
    <>
      <ProblemAlert error={attempt.error} />
      {unconfirmed && <SendLinkAgain email={form.values.email} />}
      <form onSubmit={form.onSubmit((values) => attempt.mutate(values))}>
        <TextInput
          label={signInText('email')}
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          mb="md"
          {...form.getInputProps('email')}
        />
        <PasswordField
          label={signInText('password')}
          name="password"
          autoComplete="current-password"
          required
          mb="lg"
          {...form.getInputProps('password')}
        />
        <Button type="submit" fullWidth loading={attempt.isPending}>
          {signInText('signIn')}
        </Button>
      </form>
    </>
  )
}
