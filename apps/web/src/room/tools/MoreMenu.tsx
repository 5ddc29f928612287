import { Menu } from '@mantine/core'
import {
  IconDots,
  IconLayoutGrid,
  IconLayoutSidebarRight,
  IconLink,
  IconMaximize,
  IconMinimize,
  IconScreenShare,
  IconSettings,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ReactionItems } from './ReactionMenu.tsx'
import { ToolButton } from './ToolButton.tsx'
import classes from './Toolbar.module.css'
import { canShareScreen, type ToolbarProps } from './toolbar-props.ts'
import { canFillScreen, toggleFullScreen, useIsFullScreen } from './use-full-screen.ts'

const iconSize = 20

/** The less frequent controls; on phones also those that do not fit into the toolbar. */
export function MoreMenu({ tools, view, onDialog, onView }: ToolbarProps) {
  const { t } = useTranslation('room')
  const isFullScreen = useIsFullScreen()
  const isGrid = view === 'grid'
  return (
    <Menu position="top-end" withInitialFocusPlaceholder={false} width={240}>
      <Menu.Target>
        <ToolButton label={t('tools.more')} icon={<IconDots aria-hidden />} captioned />
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.narrow}>
          <ReactionItems />
          <Menu.Divider />
          {canShareScreen() && (
            <Menu.Item leftSection={<IconScreenShare size={iconSize} aria-hidden />} onClick={tools.toggleScreen}>
              {t(tools.sharing ? 'tools.stopSharing' : 'tools.share')}
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
