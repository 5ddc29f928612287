import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { writeCode } from '../../meetings/meeting-status.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import { useInvitation } from './use-invitation.ts'

/** How others can join. */
export function InviteToRoomDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['room', 'app'])
  const { link, code, pin } = useInvitation()
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={t('invite.title')} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <Stack gap="sm">
        <CopyField label={t('invite.link')} value={link} />
        <CopyField label={t('app:meetingId')} value={writeCode(code)} />
        {pin === undefined ? (
          <Text size="sm" c="dimmed">
            {t('invite.noPin')}
          </Text>
        ) : (
          <CopyField label={t('app:pin')} value={pin} />
        )}
      </Stack>
    </Modal>
  )
}
