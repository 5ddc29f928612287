import { SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../session/session.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { Section } from '../ui/Section.tsx'

/** The room that is always one's own: given, not chosen. */
export function RoomSection() {
  const { t } = useTranslation('profile')
  const { svcMeetId, roomPIN } = usePerson()
  return (
    <Section title={t('room.title')}>
      <Text c="dimmed" mb="md">
        {t('room.explanation')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <CopyField label={t('room.code')} value={svcMeetId} />
        <CopyField label={t('room.pin')} value={roomPIN} />
      </SimpleGrid>
    </Section>
  )
}
