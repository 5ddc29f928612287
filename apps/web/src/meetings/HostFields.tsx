import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { SingleMeetingReply } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../ui/CopyField.tsx'
import { Section } from '../ui/Section.tsx'

/** The host's key and PIN, hidden until requested, because screens are shared. */
export function HostFields({ meeting: { roomUrl, roomKey, vpin } }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('meeting')
  const [shown, { toggle }] = useDisclosure(false)
  return (
    <Section
      title={t('hostFields.title')}
      actions={
        <Button variant="default" size="compact-sm" aria-expanded={shown} onClick={toggle}>
          {shown ? t('hostFields.hide') : t('hostFields.show')}
        </Button>
      }
    >
      <Text c="dimmed" size="sm">
        {t('hostFields.explanation')}
      </Text>
      {shown && (
        <Stack gap="sm" mt="sm">
          <CopyField label={t('hostFields.roomUrl')} value={roomUrl} />
          <CopyField label={t('hostFields.roomKey')} value={roomKey} />
          <CopyField label={t('hostFields.vpin')} value={vpin} />
        </Stack>
      )}
    </Section>
  )
}
