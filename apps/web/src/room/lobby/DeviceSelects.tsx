import { NativeSelect, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DeviceIds, DeviceRole } from './device-choice.ts'
import type { Devices } from './use-devices.ts'

type DeviceSelectsProps = { devices: Devices; chosen: DeviceIds; onChoose(kind: DeviceRole, id: string): void }

const kinds = ['camera', 'microphone', 'speaker'] as const

/** Choose camera, microphone and speaker; omits kinds for which the browser lists no device. */
export function DeviceSelects({ devices, chosen, onChoose }: DeviceSelectsProps) {
  const { t } = useTranslation('room')
  return (
    <Stack gap="sm">
      {kinds
        .filter((kind) => devices[kind].length > 0)
        .map((kind) => (
          <NativeSelect
            key={kind}
            label={t(`devices.${kind}`)}
            value={devices[kind].some(({ id }) => id === chosen[kind]) ? chosen[kind] : devices[kind][0]?.id}
            data={devices[kind].map(({ id, label }, index) => ({
              value: id,
              label: label === '' ? t('devices.unnamed', { number: index + 1 }) : label,
            }))}
            onChange={({ currentTarget: { value } }) => onChoose(kind, value)}
          />
        ))}
    </Stack>
  )
}
