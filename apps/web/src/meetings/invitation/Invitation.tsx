import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useClipboard, useDisclosure } from '@mantine/hooks'
import type { SingleMeetingReply } from '@parley/contract'
import { IconCheck, IconCopy, IconQrcode } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useMail } from '../../session/session.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { Section } from '../../ui/Section.tsx'
import { AddToCalendar } from '../AddToCalendar.tsx'
import { writeCode } from '../meeting-status.ts'
import { useInvitationText } from './use-invitation-text.ts'

const QrDialog = lazy(async () => ({ default: (await import('../QrDialog.tsx')).QrDialog }))

/** What to share: the link, the code and PIN, an invitation text, a QR code. */
export function Invitation({ meeting }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation(['meeting', 'app'])
  const { linksAreLocal } = useMail()
  const text = useInvitationText(meeting)
  const { copy, copied, error } = useClipboard()
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <Section title={t('invitation.title')}>
      <Stack gap="md">
        <CopyField
          label={t('app:link')}
          value={meeting.meetingUrl}
          {...(linksAreLocal && { description: t('invitation.localLink') })}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <CopyField label={t('app:meetingId')} value={writeCode(meeting.svcMeetId)} />
          <CopyField label={t('app:pin')} value={meeting.pin} />
        </SimpleGrid>
        <Group gap="sm">
          <Button
            leftSection={copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
            onClick={() => copy(text)}
          >
            {copied ? t('app:copied') : t('invitation.copy')}
          </Button>
          <Button variant="default" leftSection={<IconQrcode size={18} aria-hidden />} onClick={open}>
            {t('invitation.qr')}
          </Button>
        </Group>
        {error !== null && (
          <div role="alert">
            <Text size="sm">{t('invitation.failed')}</Text>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {text}
            </Text>
          </div>
        )}
        <AddToCalendar meeting={meeting} />
      </Stack>
      <Suspense>{opened && <QrDialog topic={meeting.topic} address={meeting.meetingUrl} onClose={close} />}</Suspense>
    </Section>
  )
}
