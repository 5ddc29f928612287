import { Button, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SettingsPage, SettingsSection } from '../settings/SettingsPage.tsx'
import { PersonalTokensSection } from './PersonalTokensSection.tsx'

/** Tokens for scripts, and the ways to webhooks, apps and the manual for developers. */
export function DeveloperSettings() {
  const { t } = useTranslation(['security', 'app'])
  return (
    <SettingsPage tab="developerSettings">
      <PersonalTokensSection />
      <SettingsSection
        title={t('app:navigation.pages.webhooks')}
        actions={
          <Button variant="default" size="sm" component={Link} to="/developers/webhooks">
            {t('webhooks.manage')}
          </Button>
        }
      >
        <Text>{t('webhooks.explanation')}</Text>
      </SettingsSection>
      <SettingsSection
        title={t('app:navigation.pages.ownApps')}
        actions={
          <>
            <Button variant="default" size="sm" component={Link} to="/developers">
              {t('ownApps.open')}
            </Button>
            <Button
              variant="subtle"
              size="sm"
              component="a"
              href="/docs"
              rightSection={<IconExternalLink size={16} aria-hidden />}
            >
              {t('app:documentation')}
            </Button>
          </>
        }
      >
        <Text>{t('ownApps.explanation')}</Text>
      </SettingsSection>
    </SettingsPage>
  )
}
