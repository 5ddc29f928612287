import { Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { writeCode } from '../../meetings/standing.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { useVisited } from '../room-context.ts'
import { sharedPin } from './shared-pin.ts'

/** How somebody else finds the way here. What makes a host is never handed on. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('room')
  const { t: house } = useTranslation()
  const { code, pin } = useVisited()
  useReturnFocus()
  const shared = sharedPin(pin)
  const link = `${window.location.origin}/j/${code}${shared === undefined ? '' : `#pin=${shared}`}`
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('invite.title')}
      centered
      closeButtonProps={{ 'aria-label': house('close') }}
    >
      <Stack gap="sm">
        <CopyField label={t('invite.link')} value={link} />
        <CopyField label={t('invite.code')} value={writeCode(code)} />
        {shared === undefined ? (
          <Text size="sm" c="dimmed">
            {t('invite.noPin')}
          </Text>
        ) : (
          <CopyField label={t('invite.pin')} value={shared} />
        )}
      </Stack>
    </Modal>
  )
}
