import { useTranslation } from 'react-i18next'
import { DeviceSection } from './DeviceSection.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { bellSwitches, emailSwitches, SwitchesSection } from './SwitchesSection.tsx'

/** What the person is told, and where. */
export function NotificationSettings() {
  const { t } = useTranslation('settings')
  return (
    <SettingsPage tab="notificationSettings">
      <SwitchesSection title={t('groups.inApp')} explanation={t('inAppExplanation')} switches={bellSwitches} />
      <DeviceSection />
      <SwitchesSection title={t('groups.emails')} switches={emailSwitches} />
    </SettingsPage>
  )
}
