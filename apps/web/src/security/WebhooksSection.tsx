import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Section } from '../ui/Section.tsx'

/** The way to the person's webhooks, which have a page of their own. */
export function WebhooksSection() {
  const { t } = useTranslation(['security', 'app'])
  return (
    <Section
      title={t('app:navigation.pages.webhooks')}
      actions={
        <Button variant="default" size="sm" component={Link} to="/security/webhooks">
          {t('webhooks.manage')}
        </Button>
      }
    >
      <Text c="dimmed">{t('webhooks.explanation')}</Text>
    </Section>
  )
}
