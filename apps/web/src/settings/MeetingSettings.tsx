import { Button, SimpleGrid, Stack } from '@mantine/core'
import { IconVideo } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { writeCode } from '../meetings/meeting-status.ts'
import { usePerson } from '../session/session.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { NewMeetingsSection } from './NewMeetingsSection.tsx'
import { SettingsPage, SettingsSection } from './SettingsPage.tsx'
import { meetingSwitches, SwitchesSection } from './SwitchesSection.tsx'
import { TemplatesSection } from './TemplatesSection.tsx'

/** What new meetings begin with, templates, how the person joins, what they see in a meeting, and their own room. */
export function MeetingSettings() {
  const { t } = useTranslation('settings')
  return (
    <SettingsPage tab="meetingSettings">
      <NewMeetingsSection />
      <TemplatesSection />
      {meetingSwitches.map(({ group, switches }) => (
        <SwitchesSection key={group} title={t(`groups.${group}`)} switches={switches} />
      ))}
      <RoomSection />
    </SettingsPage>
  )
}

/** The permanent own room; its code is assigned. */
function RoomSection() {
  const { t } = useTranslation(['settings', 'app'])
  const { svcMeetId, roomPIN } = usePerson()
  const hash = `pin=${roomPIN}`
  return (
    <SettingsSection
      title={t('room.title')}
      explanation={t('room.explanation')}
      actions={
        <Button
          renderRoot={(props) => <Link to="/j/$code" params={{ code: svcMeetId }} hash={hash} {...props} />}
          leftSection={<IconVideo size={18} aria-hidden />}
        >
          {t('room.go')}
        </Button>
      }
    >
      <Stack gap="md">
        <CopyField label={t('app:link')} value={`${window.location.origin}/j/${svcMeetId}#${hash}`} />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <CopyField label={t('app:meetingId')} value={writeCode(svcMeetId)} />
          <CopyField label={t('app:pin')} value={roomPIN} />
        </SimpleGrid>
      </Stack>
    </SettingsSection>
  )
}
