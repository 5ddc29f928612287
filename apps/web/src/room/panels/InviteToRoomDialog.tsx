import { Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { writeCode } from '../../meetings/meeting-status.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { useInvitation } from './use-invitation.ts'

/** How others can join. */
export function InviteToRoomDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('room')
  const { t: house } = useTranslation()
  const { link, code, pin } = useInvitation()
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={t('invite.title')} closeButtonProps={{ 'aria-label': house('close') }}>
      <Stack gap="sm">
        <CopyField label={t('invite.link')} value={link} />
        <CopyField label={t('invite.code')} value={writeCode(code)} />
        {pin === undefined ? (
          <Text size="sm" c="dimmed">
            {t('invite.noPin')}
          </Text>
        ) : (
          <CopyField label={t('invite.pin')} value={pin} />
        )}
      </Stack>
    </Modal>
  )
}
