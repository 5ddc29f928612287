import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Page } from '../ui/Page.tsx'
import { BlockedSendersSection } from './BlockedSendersSection.tsx'
import { OwnDataSection } from './OwnDataSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { PersonalTokensSection } from './PersonalTokensSection.tsx'
import { SecurityLogSection } from './SecurityLogSection.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { WebhooksSection } from './WebhooksSection.tsx'

/** Credentials, sessions and security events. */
export function SecurityPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('navigation.pages.security')} width="narrow">
      <Stack gap="lg">
        <PasswordSection />
        <PasskeysSection />
        <SessionsSection />
        <PersonalTokensSection />
        <WebhooksSection />
        <BlockedSendersSection />
        <SecurityLogSection />
        <OwnDataSection />
      </Stack>
    </Page>
  )
}
