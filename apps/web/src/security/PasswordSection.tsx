import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../ui/Section.tsx'
import { ChangePasswordForm } from './ChangePasswordForm.tsx'

export function PasswordSection() {
  const { t } = useTranslation('security')
  const { t: signInText } = useTranslation('sign-in')
  const [changing, setChanging] = useState(false)
  return (
    <Section
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
    </Section>
  )
}
