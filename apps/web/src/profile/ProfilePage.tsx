import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FeedSection } from '../meetings/CalendarFeed.tsx'
import { Page } from '../ui/Page.tsx'
import { AboutYouSection } from './AboutYouSection.tsx'
import { LanguageAndTimeSection } from './LanguageAndTimeSection.tsx'
import { PortraitSection } from './PortraitSection.tsx'
import { RoomSection } from './RoomSection.tsx'
import { SwitchesSection } from './SwitchesSection.tsx'
import { schoolDeclarations, settingGroups } from './switches.ts'

/** The profile: fields that the person can edit, and read-only fields. */
export function ProfilePage() {
  const { t } = useTranslation(['profile', 'app'])
  return (
    <Page title={t('app:navigation.pages.profile')} width="narrow">
      <Stack gap="lg">
        <AboutYouSection />
        <PortraitSection />
        <LanguageAndTimeSection />
        {settingGroups.map(({ group, switches }) => (
          <SwitchesSection key={group} title={t(`groups.${group}`)} switches={switches} />
        ))}
        <RoomSection />
        <FeedSection />
        <SwitchesSection
          title={t('school.title')}
          explanation={t('school.explanation')}
          switches={schoolDeclarations}
        />
      </Stack>
    </Page>
  )
}
