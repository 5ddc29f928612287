import { Button, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { writeCode } from '../../meetings/meeting-status.ts'
import { useDates } from '../../texts/dates.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import { useSnapshot } from '../room-context.ts'
import { useTopic } from '../use-topic.ts'
import { useInvitation } from './use-invitation.ts'

/** How others can join. */
export function InviteToRoomDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['room', 'call', 'app'])
  const { link, code, pin } = useInvitation()
  const text = useInvitationText()
  const { copy, copied, error } = useClipboard()
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={t('call:invite.title')} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <Stack gap="sm">
        <Button
          leftSection={copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
          onClick={() => copy(text)}
        >
          {t(copied ? 'app:copied' : 'app:copyInvitation')}
        </Button>
        {error !== null && (
          <div role="alert">
            <Text size="sm">{t('app:copyFailed')}</Text>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {text}
            </Text>
          </div>
        )}
        <CopyField label={t('call:invite.link')} value={link} />
        <CopyField label={t('app:meetingId')} value={writeCode(code)} />
        {pin === undefined ? (
          <Text size="sm" c="dimmed">
            {t('call:invite.noPin')}
          </Text>
        ) : (
          <CopyField label={t('app:pin')} value={pin} />
        )}
      </Stack>
    </Modal>
  )
}

/** The invitation as one text: topic, time with its zone, link, and Meeting ID with the PIN where it is known. */
function useInvitationText(): string {
  const { t } = useTranslation(['room', 'call', 'app'])
  const { meeting } = useSnapshot()
  const topic = useTopic(meeting)
  const { link, code, pin } = useInvitation()
  const dates = useDates()
  const date = meeting?.kind === 'meeting' ? meeting.nextOccurrence : null
  return [
    topic,
    ...(date === null ? [] : [`${dates.range(date.startTime, date.endTime)} (${dates.zone(date.startTime)})`]),
    '',
    link,
    `${t('app:meetingId')}: ${writeCode(code)}`,
    ...(pin === undefined ? [] : [`${t('app:pin')}: ${pin}`]),
  ].join('\n')
}
