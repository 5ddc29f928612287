import { Menu } from '@mantine/core'
import { IconDots, IconLayoutGrid, IconLink, IconScreenShare, IconSettings } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ToolButton } from '../../ui/ToolButton.tsx'
import { ReactionItems } from './ReactionMenu.tsx'
import { canShareScreen, type ToolbarProps } from './Toolbar.tsx'

/** On a phone: what is needed less often. */
export function MoreMenu({ tools, view, onDialog, onView }: ToolbarProps) {
  const { t } = useTranslation('room')
  return (
    <Menu position="top-end" withInitialFocusPlaceholder={false} width={240}>
      <Menu.Target>
        <ToolButton label={t('tools.more')} icon={<IconDots aria-hidden />} />
      </Menu.Target>
      <Menu.Dropdown>
        <ReactionItems />
        <Menu.Divider />
        {canShareScreen() && (
          <Menu.Item leftSection={<IconScreenShare size={20} aria-hidden />} onClick={tools.toggleScreen}>
            {t(tools.sharing ? 'tools.stopSharing' : 'tools.share')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLayoutGrid size={20} aria-hidden />} onClick={onView}>
          {t(view === 'grid' ? 'tools.speakerView' : 'tools.gridView')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLink size={20} aria-hidden />} onClick={() => onDialog('invite')}>
          {t('tools.invite')}
        </Menu.Item>
        <Menu.Item leftSection={<IconSettings size={20} aria-hidden />} onClick={() => onDialog('devices')}>
          {t('tools.devices')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
