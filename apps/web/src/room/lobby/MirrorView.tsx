import { IconMicrophone, IconMicrophoneOff, IconVideo, IconVideoOff } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LevelMeter } from '../../ui/LevelMeter.tsx'
import { ToolButton } from '../../ui/ToolButton.tsx'
import { PersonPortrait } from '../tiles/PersonPortrait.tsx'
import classes from './MirrorView.module.css'
import type { Preview } from './use-device-preview.ts'

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
