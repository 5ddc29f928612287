import { Menu } from '@mantine/core'
import {
  IconDots,
  IconHandStop,
  IconLayoutDashboard,
  IconLayoutGrid,
  IconLayoutSidebarRight,
  IconLink,
  IconMaximize,
  IconMessage,
  IconMicrophone,
  IconMicrophoneOff,
  IconMinimize,
  IconPhoneOff,
  IconPictureInPicture,
  IconScreenShare,
  IconScreenShareOff,
  IconSettings,
  IconUsers,
  IconVideo,
  IconVideoOff,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BreakoutItem } from '../breakout/BreakoutItem.tsx'
import { CaptionButton, CaptionItem } from '../captions/CaptionControls.tsx'
import colors from '../stage-colors.module.css'
import { DeviceMenu } from './DeviceMenu.tsx'
import { ReactionItems, ReactionMenu } from './Reactions.tsx'
import { ToolButton } from './ToolButton.tsx'
import classes from './Toolbar.module.css'
import { canShareScreen, type ToolbarProps } from './toolbar-props.ts'
import { canOpenCallWindow } from './use-call-window.ts'
import { canFillScreen, toggleFullScreen, useIsFullScreen } from './use-room-keys.ts'

/** The controls in four groups, with labels where there is room; on phones the less frequent ones are in a menu. */
export function Toolbar(props: ToolbarProps) {
  const { t, i18n } = useTranslation(['room', 'call'])
  const { tools, panel, unread, waiting, hands, onPanel, onDialog, onLeave } = props
  const { allowed } = tools
  /** A control that a host has turned off stays in its place, and says why. */
  const control = (caption: string, isOff: boolean) => ({
    caption,
    label: isOff ? t('tools.turnedOff', { tool: caption }) : caption,
    'aria-disabled': isOff,
  })
  const peopleLabel = new Intl.ListFormat(i18n.language, { type: 'unit' }).format([
    t('tools.people'),
    ...(waiting > 0 ? [t('tools.waiting', { count: waiting })] : []),
    ...(hands > 0 ? [t('tools.hands', { count: hands })] : []),
  ])
  return (
    <section className={`${classes.toolbar} ${colors.stage}`} data-bar="end" aria-label={t('tools.title')}>
      <ToolGroup label={t('tools.groups.devices')}>
        <ToolButton
          captioned
          {...control(t(tools.microphoneOn ? 'tools.mute' : 'tools.unmute'), tools.hardMuted && !tools.microphoneOn)}
          icon={tools.microphoneOn ? <IconMicrophone aria-hidden /> : <IconMicrophoneOff aria-hidden />}
          tone={tools.microphoneOn ? 'plain' : 'off'}
          onClick={tools.toggleMicrophone}
        />
        <span className={classes.wide}>
          <DeviceMenu
            label={t('devices.choose.microphone')}
            roles={['microphone', 'speaker']}
            onSettings={() => onDialog('devices')}
          />
        </span>
        <ToolButton
          captioned
          {...control(t(tools.cameraOn ? 'tools.cameraOff' : 'tools.cameraOn'), !allowed.camera && !tools.cameraOn)}
          icon={tools.cameraOn ? <IconVideo aria-hidden /> : <IconVideoOff aria-hidden />}
          tone={tools.cameraOn ? 'plain' : 'off'}
          onClick={tools.toggleCamera}
        />
        <span className={classes.wide}>
          <DeviceMenu label={t('devices.choose.camera')} roles={['camera']} onSettings={() => onDialog('devices')} />
        </span>
        {canShareScreen() && (
          <span className={classes.wide}>
            <ToolButton
              captioned
              {...control(t(tools.sharing ? 'tools.stopSharing' : 'tools.share'), !allowed.screen && !tools.sharing)}
              icon={tools.sharing ? <IconScreenShareOff aria-hidden /> : <IconScreenShare aria-hidden />}
              tone={tools.sharing ? 'on' : 'plain'}
              onClick={tools.toggleScreen}
            />
          </span>
        )}
      </ToolGroup>
      <ToolGroup label={t('tools.groups.talk')}>
        <ToolButton
          captioned
          label={t(tools.handUp ? 'tools.lowerHand' : 'tools.raiseHand')}
          icon={<IconHandStop aria-hidden />}
          tone={tools.handUp ? 'on' : 'plain'}
          onClick={tools.toggleHand}
        />
        <span className={classes.wide}>
          <ReactionMenu allowed={allowed.reactions} />
        </span>
        <ToolButton
          captioned
          caption={t('tools.chat')}
          label={unread === 0 ? t('tools.chat') : t('tools.chatUnread', { count: unread })}
          icon={<IconMessage aria-hidden />}
          tone={panel === 'chat' ? 'on' : 'plain'}
          aria-expanded={panel === 'chat'}
          {...(unread > 0 && { badge: String(unread) })}
          onClick={() => onPanel('chat')}
        />
        <span className={classes.widest}>
          <CaptionButton captions={props.captions} />
        </span>
      </ToolGroup>
      <ToolGroup label={t('tools.people')}>
        <ToolButton
          captioned
          caption={t('tools.people')}
          label={peopleLabel}
          icon={<IconUsers aria-hidden />}
          tone={panel === 'people' ? 'on' : 'plain'}
          aria-expanded={panel === 'people'}
          {...(waiting + hands > 0 && { badge: String(waiting + hands) })}
          onClick={() => onPanel('people')}
        />
        <span className={classes.wide}>
          <ToolButton
            captioned
            label={t('tools.invite')}
            icon={<IconLink aria-hidden />}
            onClick={() => onDialog('invite')}
          />
        </span>
      </ToolGroup>
      <ToolGroup label={t('tools.more')}>
        <MoreMenu {...props} />
        <ToolButton
          captioned
          label={t('tools.leave')}
          icon={<IconPhoneOff aria-hidden />}
          tone="danger"
          onClick={onLeave}
        />
      </ToolGroup>
    </section>
  )
}

function ToolGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div role="group" aria-label={label} className={classes.group}>
      {children}
    </div>
  )
}

const iconSize = 20

/** The less frequent controls; on phones also those that do not fit into the toolbar. */
function MoreMenu({ tools, view, onPanel, onDialog, onView, onCallWindow }: ToolbarProps) {
  const { t } = useTranslation(['room', 'call'])
  const isFullScreen = useIsFullScreen()
  const isGrid = view === 'grid'
  const isScreenOff = !tools.allowed.screen && !tools.sharing
  return (
    <Menu position="top-end" withInitialFocusPlaceholder={false} width={240}>
      <Menu.Target>
        <ToolButton label={t('tools.more')} icon={<IconDots aria-hidden />} captioned />
      </Menu.Target>
      <Menu.Dropdown className={classes.more ?? ''}>
        <div className={classes.narrow}>
          {tools.allowed.reactions ? (
            <ReactionItems />
          ) : (
            <Menu.Label>{t('tools.turnedOff', { tool: t('tools.react') })}</Menu.Label>
          )}
          <Menu.Divider />
          {canShareScreen() && (
            <Menu.Item
              leftSection={<IconScreenShare size={iconSize} aria-hidden />}
              disabled={isScreenOff}
              onClick={tools.toggleScreen}
            >
              {isScreenOff
                ? t('tools.turnedOff', { tool: t('tools.share') })
                : t(tools.sharing ? 'tools.stopSharing' : 'tools.share')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconLink size={iconSize} aria-hidden />} onClick={() => onDialog('invite')}>
            {t('tools.invite')}
          </Menu.Item>
        </div>
        <Menu.Item
          leftSection={
            isGrid ? (
              <IconLayoutSidebarRight size={iconSize} aria-hidden />
            ) : (
              <IconLayoutGrid size={iconSize} aria-hidden />
            )
          }
          onClick={onView}
        >
          {t(isGrid ? 'tools.speakerView' : 'tools.gridView')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLayoutDashboard size={iconSize} aria-hidden />} onClick={() => onDialog('layout')}>
          {t('call:layout.open')}
        </Menu.Item>
        <CaptionItem onPanel={() => onPanel('captions')} />
        <BreakoutItem onOpen={() => onDialog('breakout')} />
        {canOpenCallWindow && (
          <Menu.Item leftSection={<IconPictureInPicture size={iconSize} aria-hidden />} onClick={onCallWindow}>
            {t('tools.callWindow')}
          </Menu.Item>
        )}
        {canFillScreen() && (
          <Menu.Item
            leftSection={
              isFullScreen ? <IconMinimize size={iconSize} aria-hidden /> : <IconMaximize size={iconSize} aria-hidden />
            }
            onClick={toggleFullScreen}
          >
            {t(isFullScreen ? 'tools.exitFullScreen' : 'tools.fullScreen')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconSettings size={iconSize} aria-hidden />} onClick={() => onDialog('devices')}>
          {t('tools.devices')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
