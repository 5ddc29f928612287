import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconVideo } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { writeCode } from '../meetings/meeting-status.ts'
import { usePerson } from '../session/session.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { Section } from '../ui/Section.tsx'

/** The permanent own room; its code is assigned. */
export function RoomSection() {
  const { t } = useTranslation(['profile', 'app'])
  const { svcMeetId, roomPIN } = usePerson()
  const hash = `pin=${roomPIN}`
  return (
    <Section title={t('room.title')}>
      <Text c="dimmed" mb="md">
        {t('room.explanation')}
      </Text>
      <Stack gap="md">
        <CopyField label={t('app:link')} value={`${window.location.origin}/j/${svcMeetId}#${hash}`} />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <CopyField label={t('app:meetingId')} value={writeCode(svcMeetId)} />
          <CopyField label={t('app:pin')} value={roomPIN} />
        </SimpleGrid>
        <Group>
          <Button
            renderRoot={(props) => <Link to="/j/$code" params={{ code: svcMeetId }} hash={hash} {...props} />}
            leftSection={<IconVideo size={18} aria-hidden />}
          >
            {t('room.go')}
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}
