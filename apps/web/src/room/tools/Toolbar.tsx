import {
  IconHandStop,
  IconLayoutGrid,
  IconLayoutSidebarRight,
  IconLink,
  IconMessage,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhoneOff,
  IconScreenShare,
  IconScreenShareOff,
  IconSettings,
  IconUsers,
  IconVideo,
  IconVideoOff,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ToolButton } from '../../ui/ToolButton.tsx'
import type { View } from '../tiles/arrange-tiles.ts'
import { MoreMenu } from './MoreMenu.tsx'
import { ReactionMenu } from './ReactionMenu.tsx'
import classes from './Toolbar.module.css'
import type { RoomTools } from './use-room-tools.ts'

export type Panel = 'chat' | 'people'
export type Dialog = 'invite' | 'devices' | 'leave'

export type ToolbarProps = {
  tools: RoomTools
  panel: Panel | undefined
  unread: number
  /** How many people wait at the door. */
  waiting: number
  view: View
  onPanel(panel: Panel): void
  onDialog(dialog: Dialog): void
  onView(): void
  onLeave(): void
}

/** Phones share no screen. */
export const canShareScreen = (): boolean => 'getDisplayMedia' in (navigator.mediaDevices ?? {})

/** All that one can do, in one row; on a phone what is rarer is in a menu. */
export function Toolbar(props: ToolbarProps) {
  const { t } = useTranslation('room')
  const { tools, panel, unread, waiting, view, onPanel, onDialog, onView, onLeave } = props
  return (
    <section className={classes.toolbar} aria-label={t('tools.title')}>
      <ToolButton
        label={t(tools.microphoneOn ? 'tools.mute' : 'tools.unmute')}
        icon={tools.microphoneOn ? <IconMicrophone aria-hidden /> : <IconMicrophoneOff aria-hidden />}
        tone={tools.microphoneOn ? 'plain' : 'off'}
        aria-disabled={tools.hardMuted && !tools.microphoneOn}
        onClick={tools.toggleMicrophone}
      />
      <ToolButton
        label={t(tools.cameraOn ? 'tools.cameraOff' : 'tools.cameraOn')}
        icon={tools.cameraOn ? <IconVideo aria-hidden /> : <IconVideoOff aria-hidden />}
        tone={tools.cameraOn ? 'plain' : 'off'}
        onClick={tools.toggleCamera}
      />
      <span className={classes.wide}>
        {canShareScreen() && (
          <ToolButton
            label={t(tools.sharing ? 'tools.stopSharing' : 'tools.share')}
            icon={tools.sharing ? <IconScreenShareOff aria-hidden /> : <IconScreenShare aria-hidden />}
            tone={tools.sharing ? 'on' : 'plain'}
            onClick={tools.toggleScreen}
          />
        )}
        <ReactionMenu />
      </span>
      <ToolButton
        label={t('tools.raiseHand')}
        icon={<IconHandStop aria-hidden />}
        tone={tools.handUp ? 'on' : 'plain'}
        aria-pressed={tools.handUp}
        onClick={tools.toggleHand}
      />
      <ToolButton
        label={unread === 0 ? t('tools.chat') : t('tools.chatUnread', { count: unread })}
        icon={<IconMessage aria-hidden />}
        tone={panel === 'chat' ? 'on' : 'plain'}
        aria-expanded={panel === 'chat'}
        {...(unread > 0 && { badge: String(unread) })}
        onClick={() => onPanel('chat')}
      />
      <ToolButton
        label={waiting === 0 ? t('tools.people') : t('tools.peopleWaiting', { count: waiting })}
        icon={<IconUsers aria-hidden />}
        tone={panel === 'people' ? 'on' : 'plain'}
        aria-expanded={panel === 'people'}
        {...(waiting > 0 && { badge: String(waiting) })}
        onClick={() => onPanel('people')}
      />
      <span className={classes.wide}>
        <ToolButton label={t('tools.invite')} icon={<IconLink aria-hidden />} onClick={() => onDialog('invite')} />
        <ToolButton
          label={t(view === 'grid' ? 'tools.speakerView' : 'tools.gridView')}
          icon={view === 'grid' ? <IconLayoutSidebarRight aria-hidden /> : <IconLayoutGrid aria-hidden />}
          onClick={onView}
        />
        <ToolButton
          label={t('tools.devices')}
          icon={<IconSettings aria-hidden />}
          onClick={() => onDialog('devices')}
        />
      </span>
      <span className={classes.narrow}>
        <MoreMenu {...props} />
      </span>
      <ToolButton label={t('tools.leave')} icon={<IconPhoneOff aria-hidden />} tone="danger" onClick={onLeave} />
    </section>
  )
}
