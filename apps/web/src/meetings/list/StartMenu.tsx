import { Menu, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconBolt, IconCopy, IconDoorEnter } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../../session/session.ts'
import { showToast } from '../../ui/toast.ts'
import { writeCode } from '../meeting-status.ts'
import { useOpenOnMount } from './LazyMenu.tsx'

/** Start a meeting now, or go to the own room, which is permanent. */
export function StartMenu({ target }: { target: ReactElement }) {
  const { t } = useTranslation(['meetings', 'app'])
  const { svcMeetId, roomPIN } = usePerson()
  const { copy } = useClipboard()
  const hash = `pin=${roomPIN}`
  const copyLink = () => {
    copy(`${window.location.origin}/j/${svcMeetId}#${hash}`)
    showToast({ message: t('app:copied'), about: 'copied' })
  }
  return (
    <Menu {...useOpenOnMount()} position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          renderRoot={(props) => <Link to="/start" {...props} />}
          leftSection={<IconBolt size={18} aria-hidden />}
        >
          {t('actions.now')}
        </Menu.Item>
        <Menu.Item
          renderRoot={(props) => <Link to="/j/$code" params={{ code: svcMeetId }} hash={hash} {...props} />}
          leftSection={<IconDoorEnter size={18} aria-hidden />}
          rightSection={
            <Text span c="dimmed" size="sm">
              <bdi>{writeCode(svcMeetId)}</bdi>
            </Text>
          }
        >
          {t('actions.room')}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={18} aria-hidden />} onClick={copyLink}>
          {t('actions.copy')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
