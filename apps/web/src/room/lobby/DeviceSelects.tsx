import { Button, NativeSelect, Stack } from '@mantine/core'
import { IconVolume } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
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

/** Test the chosen speaker with three tones. */
export function SpeakerTest({ speakerId }: { speakerId: string | undefined }) {
  const { t } = useTranslation('room')
  const [playing, setPlaying] = useState(false)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const gone = new AbortController()
    leaving.current = gone
    return () => gone.abort()
  }, [])
  const play = async () => {
    const { signal } = leaving.current
    setPlaying(true)
    try {
      // Few people test it, and the lobby is small.
      await (await import('./test-sound.ts')).playTestSound(speakerId, signal)
    } finally {
      if (!signal.aborted) setPlaying(false)
    }
  }
  return (
    <div>
      <Button variant="default" leftSection={<IconVolume size={18} aria-hidden />} disabled={playing} onClick={play}>
        {t('devices.testSpeaker')}
      </Button>
      <span role="status" className="hidden">
        {playing ? t('devices.testing') : ''}
      </span>
    </div>
  )
}
