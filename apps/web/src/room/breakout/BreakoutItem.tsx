import { Menu } from '@mantine/core'
import { IconLayoutBoard } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { isHosting, useSnapshot } from '../room-context.ts'

const iconSize = 20

/** The entry of the menu: for hosts where the media engine can keep rooms apart, for others while rooms are open. */
export function BreakoutItem({ onOpen }: { onOpen(): void }) {
  const { t } = useTranslation('call')
  const snapshot = useSnapshot()
  const canOpen = isHosting(snapshot) && snapshot.hostView?.breakoutSupported === true
  if (!canOpen && snapshot.breakout === null) return null
  return (
    <Menu.Item leftSection={<IconLayoutBoard size={iconSize} aria-hidden />} onClick={onOpen}>
      {t('breakout.open')}
    </Menu.Item>
  )
}
