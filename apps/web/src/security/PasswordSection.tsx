import { Anchor, Button, Checkbox, Group, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ProblemError } from '@parley/client'
import { findPasswordViolation, minPasswordLength } from '@parley/rules/text/password'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail, usePerson } from '../session/session.ts'
import { SettingsSection } from '../settings/SettingsPage.tsx'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { PasswordField } from '../ui/PasswordField.tsx'
import { showToast } from '../ui/toast.ts'
import { useChangePassword } from './security-mutations.ts'

export function PasswordSection() {
  const { t } = useTranslation('security')
  const { t: signInText } = useTranslation('sign-in')
  const [changing, setChanging] = useState(false)
  return (
    <SettingsSection
      title={signInText('password')}
      actions={
        !changing && (
          <Button variant="default" size="sm" onClick={() => setChanging(true)}>
            {t('password.change')}
          </Button>
        )
      }
    >
      {changing ? (
        <ChangePasswordForm onClose={() => setChanging(false)} />
      ) : (
        <Text c="dimmed">{t('password.explanation')}</Text>
      )}
    </SettingsSection>
  )
}

/** A wrong old password is an error of its field. */
function ChangePasswordForm({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['security', 'accounts', 'violations', 'app'])
  const { mail } = useMail()
  const { email } = usePerson()
  const fieldErrors = useFieldErrors()
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '', signOutEverywhere: true },
    validate: {
      currentPassword: (password) => (password === '' ? t('violations:required') : null),
      newPassword: (password) => {
        const violation = findPasswordViolation(password, { email })
        return violation === undefined ? null : t(`violations:${violation.code}`)
      },
    },
  })
  const change = useChangePassword({
    onRefreshed: () => {
      showToast({ message: t('security:password.changed') })
      onClose()
    },
    onError: (error) => {
      form.setErrors(isWrong(error) ? { currentPassword: t('security:password.wrong') } : fieldErrors(error))
      focusFirstInvalid()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values), focusFirstInvalid)}>
      <ProblemAlert error={isWrong(change.error) ? null : change.error} />
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t('security:password.current')}
        autoComplete="current-password"
        required
        data-autofocus
        autoFocus
        mb="xs"
        {...form.getInputProps('currentPassword')}
      />
      <Anchor component={Link} to="/reset-password" size="sm" display="inline-block" mb="md">
        {t(`security:password.forgot.${mail}`)}
      </Anchor>
      <PasswordField
        label={t('accounts:newPassword')}
        description={t('accounts:passwordRule', { count: minPasswordLength })}
        autoComplete="new-password"
        required
        mb="md"
        {...form.getInputProps('newPassword')}
      />
      <Checkbox
        label={t('security:sessions.endOthers')}
        description={t('security:password.everywhereExplanation')}
        mb="lg"
        {...form.getInputProps('signOutEverywhere', { type: 'checkbox' })}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('app:cancel')}
        </Button>
        <Button type="submit" loading={change.isPending}>
          {t('security:password.change')}
        </Button>
      </Group>
    </form>
  )
}

const isWrong = (error: unknown) => error instanceof ProblemError && error.problem.code === 'wrong_credentials'
