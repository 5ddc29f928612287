import { IconMicrophone, IconMicrophoneOff, IconPhoneOff, IconVideo, IconVideoOff } from '@tabler/icons-react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { allParticipants, useSnapshot } from '../room-context.ts'
import colors from '../stage-colors.module.css'
import tiles from '../tiles/Tiles.module.css'
import { useCallTile } from '../tiles/Tiles.tsx'
import { TileView } from '../tiles/TileView.tsx'
import classes from './CallWindow.module.css'
import { PlainToolButton } from './PlainToolButton.tsx'
import type { RoomTools } from './use-room-tools.ts'

type CallWindowProps = { opened: Window; tools: RoomTools; onLeave(): void }

const ignore = () => {}

/** The call in a small window above others: a shared screen or who speaks, and the most frequent controls. */
export function CallWindow({ opened, tools, onLeave }: CallWindowProps) {
  const { t } = useTranslation(['room', 'call'])
  const snapshot = useSnapshot()
  const count = allParticipants(snapshot).length
  const isInBreakout = snapshot.breakout !== null && snapshot.breakout.room !== null
  const tile = useCallTile()
  const microphone = t(tools.microphoneOn ? 'tools.mute' : 'tools.unmute')
  const camera = t(tools.cameraOn ? 'tools.cameraOff' : 'tools.cameraOn')
  return createPortal(
    <main className={`${classes.window} ${colors.stage}`}>
      <ul className={`${classes.main} ${tiles.main}`} aria-label={t('call:stage.main')}>
        {tile !== undefined && (
          <TileView key={tile.key} tile={tile} large onStopSharing={tools.toggleScreen} onRatio={ignore} />
        )}
      </ul>
      {count < 2 && <p className={classes.alone}>{t(isInBreakout ? 'call:breakout.alone' : 'call:alone.title')}</p>}
      <section className={classes.tools} aria-label={t('tools.title')}>
        <PlainToolButton
          label={microphone}
          title={microphone}
          icon={tools.microphoneOn ? <IconMicrophone aria-hidden /> : <IconMicrophoneOff aria-hidden />}
          tone={tools.microphoneOn ? 'plain' : 'off'}
          disabled={tools.hardMuted && !tools.microphoneOn}
          onClick={tools.toggleMicrophone}
        />
        <PlainToolButton
          label={camera}
          title={camera}
          icon={tools.cameraOn ? <IconVideo aria-hidden /> : <IconVideoOff aria-hidden />}
          tone={tools.cameraOn ? 'plain' : 'off'}
          disabled={!tools.allowed.camera && !tools.cameraOn}
          onClick={tools.toggleCamera}
        />
        <PlainToolButton
          label={t('tools.leave')}
          title={t('tools.leave')}
          icon={<IconPhoneOff aria-hidden />}
          tone="danger"
          onClick={onLeave}
        />
      </section>
    </main>,
    opened.document.body,
  )
}
