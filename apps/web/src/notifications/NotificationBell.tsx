import { ActionIcon, Popover } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceStateQuery } from '../session/device-notifications.ts'
import { usePerson } from '../session/session.ts'
import { Optional } from '../ui/Optional.tsx'
import classes from './NotificationBell.module.css'
import { NotificationPanel } from './NotificationPanel.tsx'
import { notificationsQuery } from './notification-queries.ts'

const ShownNotifications = lazy(async () => ({
  default: (await import('./ShownNotifications.tsx')).ShownNotifications,
}))

/** A larger number says no more, and would cover the bell. */
const maxShown = 99

/** The bell of the frame: how much is unread, and the list of what happened. */
export function NotificationBell() {
  const { t } = useTranslation('notifications')
  const [opened, setOpened] = useState(false)
  const { data } = useInfiniteQuery(notificationsQuery)
  const unread = data?.pages[0]?.unreadCount ?? 0
  const number = unread > maxShown ? `${maxShown}+` : `${unread}`
  const close = () => setOpened(false)
  const { data: deviceState } = useQuery(deviceStateQuery(usePerson()._id))
  return (
    <>
      <Optional>{deviceState === 'shown' && <ShownNotifications />}</Optional>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-end"
        width="24rem"
        trapFocus
        returnFocus
        shadow="md"
      >
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes.bell ?? ''}
            aria-label={unread === 0 ? t('title') : t('unread', { count: unread, number })}
            aria-haspopup="dialog"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <IconBell size={20} aria-hidden />
            {unread > 0 && (
              <span className={classes.count} aria-hidden>
                {number}
              </span>
            )}
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown className={classes.panel ?? ''} aria-label={t('title')}>
          <NotificationPanel unread={unread} onClose={close} />
        </Popover.Dropdown>
      </Popover>
    </>
  )
}
