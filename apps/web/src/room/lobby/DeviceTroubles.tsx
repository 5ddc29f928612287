import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { DeviceTrouble } from './device-trouble.ts'

type DeviceTroublesProps = { camera: DeviceTrouble | undefined; microphone: DeviceTrouble | undefined }

/** What is the matter with the devices, and what to do about it: once where it is the same for both. */
export function DeviceTroubles({ camera, microphone }: DeviceTroublesProps) {
  const { t } = useTranslation('room')
  const what = camera !== undefined && camera === microphone ? 'both' : camera !== undefined ? 'camera' : 'microphone'
  const troubles = what === 'both' ? [{ what, trouble: camera }] : [{ what: 'camera', trouble: camera } as const, { what: 'microphone', trouble: microphone } as const]
  return (
    <div role="status">
      {troubles.map(
        ({ what: device, trouble }) =>
          trouble !== undefined && (
            <Alert key={device} color="gray" variant="light" icon={<IconAlertTriangle aria-hidden />} mb="sm" role="presentation" title={t(`trouble.titles.${device}`)}>
              {t(`trouble.${trouble}`)}
            </Alert>
          ),
      )}
    </div>
  )
}
