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
    await playTestSound(speakerId, signal)
    if (!signal.aborted) setPlaying(false)
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

/** In hertz: three rising tones stand out from the noise of a room. */
const tones = [440, 554, 659] as const
const toneSeconds = 0.35
const loudness = 0.2

/** Resolves when the sound has ended or was aborted. A missing speaker is replaced by the default one. */
async function playTestSound(speakerId: string | undefined, signal: AbortSignal): Promise<void> {
  const audio = new AudioContext()
  const output = new MediaStreamAudioDestinationNode(audio)
  const player = new Audio()
  player.srcObject = output.stream
  try {
    // Absent in Safari before 18.4.
    if (speakerId !== undefined && 'setSinkId' in player) await player.setSinkId(speakerId).catch(() => {})
    await player.play()
    const volume = new GainNode(audio, { gain: loudness })
    volume.connect(output)
    await Promise.all(
      tones.map((frequency, index) => {
        const tone = new OscillatorNode(audio, { frequency })
        tone.connect(volume)
        const from = audio.currentTime + index * toneSeconds
        tone.start(from)
        tone.stop(from + toneSeconds)
        return new Promise<void>((resolve) => {
          tone.onended = () => resolve()
          signal.addEventListener('abort', () => resolve())
        })
      }),
    )
  } catch {
    // The browser blocks playback and says so in its address bar.
  } finally {
    player.srcObject = null
    void audio.close()
  }
}
