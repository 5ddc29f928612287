import { Button, Group, Text } from '@mantine/core'
import { IconMicrophone, IconMicrophoneOff, IconVideo, IconVideoOff } from '@tabler/icons-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PersonPortrait } from '../../ui/Portrait.tsx'
import { cameraRatio } from '../tiles/fit-video.ts'
import { useFills } from '../tiles/use-fills.ts'
import { PlainToolButton } from '../tools/PlainToolButton.tsx'
import classes from './MirrorView.module.css'
import type { Preview } from './use-devices.ts'
import type { PermissionQuestion } from './use-permission-question.ts'

type Switch = { on: boolean; onToggle(): void }
type MirrorViewProps = {
  name: string
  camera: Switch & { preview: Preview }
  microphone: Switch & { preview: Preview; locked: boolean }
  question?: PermissionQuestion | undefined
}

/** The mirrored preview with the switches of camera and microphone. */
export function MirrorView({ name, camera, microphone, question }: MirrorViewProps) {
  const { t } = useTranslation('room')
  const { stream } = camera.preview
  const [ratio, setRatio] = useState<number>()
  const shape = stream === undefined || ratio === undefined ? {} : { '--picture-ratio': previewRatio(ratio) }
  return (
    <div className={classes.mirror}>
      <div className={classes.picture} style={shape as CSSProperties}>
        {question !== undefined && <Question {...question} />}
        {question === undefined && stream === undefined && (
          <div className={classes.off}>
            <PersonPortrait name={name} />
            <span>{camera.on ? t('lobby.cameraStarts') : t('lobby.cameraOff')}</span>
          </div>
        )}
        {stream !== undefined && <PreviewVideo stream={stream} label={t('lobby.mirror')} onRatio={setRatio} />}
        {question === undefined && (
          <div className={classes.switches}>
            <PlainToolButton
              label={t(microphone.on ? 'tools.mute' : 'tools.unmute')}
              title={t(microphone.on ? 'tools.mute' : 'tools.unmute')}
              icon={microphone.on ? <IconMicrophone aria-hidden /> : <IconMicrophoneOff aria-hidden />}
              tone={microphone.on ? 'plain' : 'off'}
              disabled={microphone.locked}
              onClick={microphone.onToggle}
            />
            <PlainToolButton
              label={t(camera.on ? 'tools.cameraOff' : 'tools.cameraOn')}
              title={t(camera.on ? 'tools.cameraOff' : 'tools.cameraOn')}
              icon={camera.on ? <IconVideo aria-hidden /> : <IconVideoOff aria-hidden />}
              tone={camera.on ? 'plain' : 'off'}
              onClick={camera.onToggle}
            />
          </div>
        )}
      </div>
      {question === undefined && microphone.on && (
        <LevelMeter stream={microphone.preview.stream} label={t('lobby.level')} />
      )}
    </div>
  )
}

/** What the browser will ask, before it does. */
function Question({ devices, answer }: PermissionQuestion) {
  const { t } = useTranslation(['room', 'app'])
  const [device = 'camera', other] = devices
  return (
    <div className={classes.off} data-question>
      <Text>{t(`lobby.question.${other === undefined ? device : 'both'}`)}</Text>
      <Group gap="sm" justify="center">
        <Button onClick={() => answer(true)}>{t('app:continue')}</Button>
        <Button variant="default" onClick={() => answer(false)}>
          {t('lobby.question.leaveOff')}
        </Button>
      </Group>
    </div>
  )
}

/** The ratio of the preview: the video's, as long as what is below stays in sight. */
const previewRatio = (ratio: number) => Math.min(cameraRatio, Math.max(ratio, narrowestPreview))
const narrowestPreview = 3 / 4

type PreviewVideoProps = { stream: MediaStream; label: string; onRatio(ratio: number): void }

function PreviewVideo({ stream, label, onRatio }: PreviewVideoProps) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream
  }, [stream])
  const fills = useFills(video, onRatio)
  return (
    <video ref={video} className={classes.video} data-whole={!fills} autoPlay playsInline muted aria-label={label} />
  )
}

/** Often enough to follow a voice. */
const measureEveryMs = 80
/** The level of ordinary speech, which fills the bar. */
const loudness = 3

type LevelMeterProps = { stream: MediaStream | undefined; label: string }

/** The current level of a microphone. Updates the DOM directly, without rendering. */
export function LevelMeter({ stream, label }: LevelMeterProps) {
  const meter = useRef<HTMLMeterElement>(null)
  useEffect(() => {
    if (stream === undefined) return
    const audio = new AudioContext()
    const analyser = new AnalyserNode(audio, { fftSize: 512 })
    const source = new MediaStreamAudioSourceNode(audio, { mediaStream: stream })
    source.connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples)
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      if (meter.current !== null) meter.current.value = Math.min(1, Math.sqrt(power) * loudness)
    }, measureEveryMs)
    return () => {
      clearInterval(timer)
      source.disconnect()
      void audio.close()
    }
  }, [stream])
  return <meter ref={meter} className={classes.meter} aria-label={label} min={0} max={1} />
}
