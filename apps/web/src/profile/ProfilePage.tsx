import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FeedSection } from '../meetings/feed/FeedSection.tsx'
import { Page } from '../ui/Page.tsx'
import { AboutYouSection } from './AboutYouSection.tsx'
import { LanguageAndTimeSection } from './LanguageAndTimeSection.tsx'
import { PortraitSection } from './PortraitSection.tsx'
import { RoomSection } from './RoomSection.tsx'
import { SwitchesSection } from './SwitchesSection.tsx'
import { schoolDeclarations, settingGroups } from './switches.ts'

/** All of a profile that is a person's own to set (service.md 2.6), and what others have set, to read. */
export function ProfilePage() {
  const { t } = useTranslation('profile')
  return (
    <Page title={t('title')} width="narrow">
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
