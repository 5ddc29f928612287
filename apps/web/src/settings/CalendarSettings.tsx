import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FeedFields } from '../meetings/CalendarFeed.tsx'
import { SettingsPage, SettingsSection } from './SettingsPage.tsx'

/** The private address at which calendar programs read the meetings. */
export function CalendarSettings() {
  const { t } = useTranslation('settings')
  const [url, setUrl] = useState<string>()
  return (
    <SettingsPage tab="calendarSettings">
      <SettingsSection title={t('feed.title')}>
        <FeedFields url={url} onUrl={setUrl} />
      </SettingsSection>
    </SettingsPage>
  )
}
