import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { DeviceErrorKind } from './device-error.ts'

type DeviceTroublesProps = { camera: DeviceErrorKind | undefined; microphone: DeviceErrorKind | undefined }

/** Device errors and how to fix them; one message when both devices have the same error. */
export function DeviceErrors({ camera, microphone }: DeviceTroublesProps) {
  const { t } = useTranslation('room')
  const troubles =
    camera === microphone
      ? [{ device: 'both', trouble: camera } as const]
      : [{ device: 'camera', trouble: camera } as const, { device: 'microphone', trouble: microphone } as const]
  return (
    <div role="status">
      {troubles.map(
        ({ device, trouble }) =>
          trouble !== undefined && (
            <Alert
              key={device}
              color="gray"
              variant="light"
              icon={<IconAlertTriangle aria-hidden />}
              mb="sm"
              role="presentation"
              title={t(`trouble.titles.${device}`)}
            >
              {t(`trouble.${trouble}`)}
            </Alert>
          ),
      )}
    </div>
  )
}
