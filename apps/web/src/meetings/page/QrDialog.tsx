import { Text } from '@mantine/core'
import { QRCodeSVG } from 'qrcode.react'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import classes from './QrDialog.module.css'

const sizePixels = 280

type QrDialogProps = { topic: string; address: string; onClose(): void }

/** The join link as a QR code, dark on light in every colour scheme, because scanners expect that. */
export function QrDialog({ topic, address, onClose }: QrDialogProps) {
  const { t } = useTranslation(['meeting', 'app'])
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={topic} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <QRCodeSVG
        value={address}
        size={sizePixels}
        marginSize={4}
        title={t('invitation.qrTitle', { topic })}
        className={classes.code}
      />
      <Text ta="center" c="dimmed" mt="sm">
        {t('invitation.qrExplanation')}
      </Text>
    </Modal>
  )
}
