import { IconMicrophone, IconMicrophoneOff, IconVideo, IconVideoOff } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PersonPortrait } from '../../ui/Portrait.tsx'
import { ToolButton } from '../tools/ToolButton.tsx'
import classes from './MirrorView.module.css'
import type { Preview } from './use-devices.ts'

type Switch = { on: boolean; onToggle(): void }
type MirrorViewProps = {
  name: string
  camera: Switch & { preview: Preview }
  microphone: Switch & { preview: Preview; locked: boolean }
}

/** The mirrored preview with the switches of camera and microphone. */
export function MirrorView({ name, camera, microphone }: MirrorViewProps) {
  const { t } = useTranslation('room')
  const video = useRef<HTMLVideoElement>(null)
  const { stream } = camera.preview
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream ?? null
  }, [stream])
  return (
    <div className={classes.mirror}>
      <div className={classes.picture}>
        {stream === undefined ? (
          <div className={classes.off}>
            <PersonPortrait name={name} />
            <span>{camera.on ? t('lobby.cameraStarts') : t('lobby.cameraOff')}</span>
          </div>
        ) : (
          <video ref={video} className={classes.video} autoPlay playsInline muted aria-label={t('lobby.mirror')} />
        )}
        <div className={classes.switches}>
          <ToolButton
            label={t(microphone.on ? 'tools.mute' : 'tools.unmute')}
            icon={microphone.on ? <IconMicrophone aria-hidden /> : <IconMicrophoneOff aria-hidden />}
            tone={microphone.on ? 'plain' : 'off'}
            disabled={microphone.locked}
            onClick={microphone.onToggle}
          />
          <ToolButton
            label={t(camera.on ? 'tools.cameraOff' : 'tools.cameraOn')}
            icon={camera.on ? <IconVideo aria-hidden /> : <IconVideoOff aria-hidden />}
            tone={camera.on ? 'plain' : 'off'}
            onClick={camera.onToggle}
          />
        </div>
      </div>
      {microphone.on && <LevelMeter stream={microphone.preview.stream} label={t('lobby.level')} />}
    </div>
  )
}

/** Often enough to follow a voice. */
const measureEveryMs = 80
/** The level of ordinary speech, which fills the bar. */
const loudness = 3

type LevelMeterProps = { stream: MediaStream | undefined; label: string }

/** The current level of a microphone. Updates the DOM directly, without rendering. */
function LevelMeter({ stream, label }: LevelMeterProps) {
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
