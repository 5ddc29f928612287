import { Button, Text } from '@mantine/core'
import {
  IconBellOff,
  IconCalendarEvent,
  IconCalendarOff,
  IconCalendarPlus,
  IconChecklist,
  IconClockPlay,
  IconDoorEnter,
  IconMessageReply,
} from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDates } from '../texts/dates.ts'
import { isolate } from '../texts/isolate.ts'
import { useNow } from '../ui/hooks/use-now.ts'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import classes from './NotificationBell.module.css'
import { type Notification, notificationsQuery, useMarkRead } from './notification-queries.ts'

const tickMs = 60_000

type NotificationPanelProps = { unread: number; onClose(): void }

/** What happened, by day; each entry leads to its page. */
export function NotificationPanel({ unread, onClose }: NotificationPanelProps) {
  const { t } = useTranslation(['notifications', 'app'])
  const { dayNear } = useDates()
  const now = useNow(tickMs)
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(notificationsQuery)
  const marking = useMarkRead()
  const all = data?.pages.flatMap(({ notifications }) => notifications)
  const newest = all?.[0]
  const days = Map.groupBy(all ?? [], ({ createdOn }) => dayNear(createdOn, now))
  return (
    <>
      <div className={classes.head}>
        <Text fw="var(--mantine-font-weight-heading)">{t('notifications:title')}</Text>
        {unread > 0 && newest !== undefined && (
          <Button variant="subtle" size="compact-sm" onClick={() => marking.mutate({ upTo: newest._id })}>
            {t('notifications:markAll')}
          </Button>
        )}
      </div>
      <div className={classes.list}>
        <ProblemAlert error={error ?? marking.error} />
        {all === undefined && error === null && (
          <div className={classes.empty} aria-busy="true">
            <RowSkeletons rows={3} />
          </div>
        )}
        {all?.length === 0 && (
          <div className={classes.empty}>
            <IconBellOff size={32} aria-hidden className={classes.icon} />
            <Text>{t('notifications:none')}</Text>
            <Text size="sm" c="dimmed">
              {t('notifications:noneExplanation')}
            </Text>
          </div>
        )}
        {[...days].map(([day, ofDay]) => (
          <section key={day} aria-label={day}>
            <h2 className={classes.day}>{day}</h2>
            <ul className={classes.entries}>
              {ofDay.map((one) => (
                <li key={one._id}>
                  <Entry
                    notification={one}
                    now={now}
                    onOpen={() => {
                      if (one.readOn === null) marking.mutate({ notificationId: one._id })
                      onClose()
                    }}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {hasNextPage && (
          <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('app:showMore')}
          </Button>
        )}
      </div>
    </>
  )
}

const icons: Record<Notification['kind'], typeof IconCalendarEvent> = {
  invited: IconCalendarPlus,
  changed: IconCalendarEvent,
  cancelled: IconCalendarOff,
  restored: IconCalendarEvent,
  answered: IconMessageReply,
  waiting: IconDoorEnter,
  starting: IconClockPlay,
  started: IconClockPlay,
  reviewed: IconChecklist,
}

type EntryProps = { notification: Notification; now: Date; onOpen(): void }

function Entry({ notification, now, onOpen }: EntryProps) {
  const { t } = useTranslation('notifications')
  const { relative, dateTime } = useDates()
  const sentence = useSentence()(notification, now)
  const { kind, createdOn, readOn, startTime, originalStartTime } = notification
  const Icon = icons[kind]
  const date = kind === 'invited' || kind === 'starting' || kind === 'started' ? startTime : originalStartTime
  const details = [relative(createdOn, now), ...(date === null ? [] : [dateTime(date)])]
  return (
    <Target notification={notification} onOpen={onOpen}>
      <Icon size={20} aria-hidden className={classes.icon} />
      <span className={classes.text}>{sentence}</span>
      <span>
        {readOn === null && (
          <>
            <span className={classes.dot} aria-hidden style={{ display: 'block' }} />
            <span className="hidden">{t('isUnread')}</span>
          </>
        )}
      </span>
      <span className={classes.detail}>{details.join(' · ')}</span>
    </Target>
  )
}

type TargetProps = { notification: Notification; onOpen(): void; children: ReactNode }

/** The page that a notification is about. */
function Target({ notification: { meetingId, roomCode, appId, readOn }, onOpen, children }: TargetProps) {
  const link = { className: classes.entry, 'data-unread': readOn === null || undefined, onClick: onOpen }
  if (roomCode !== null) {
    return (
      <Link to="/j/$code" params={{ code: roomCode }} {...link}>
        {children}
      </Link>
    )
  }
  if (meetingId !== null) {
    return (
      <Link to="/meetings/$meetingId" params={{ meetingId }} {...link}>
        {children}
      </Link>
    )
  }
  return (
    <Link to="/developers/$appId" params={{ appId: appId ?? '' }} {...link}>
      {children}
    </Link>
  )
}

/** What happened, in the reader's language. */
function useSentence(): (notification: Notification, now: Date) => string {
  const { t, i18n } = useTranslation(['notifications', 'app'])
  const { relative } = useDates()
  return ({ kind, subject, person, response, outcome, startTime, originalStartTime, roomCode }, now) => {
    const names = {
      subject: isolate(i18n.language, subject),
      person: isolate(i18n.language, person === '' ? t('app:guest') : person),
    }
    switch (kind) {
      case 'invited':
        return t('notifications:invited', names)
      case 'changed':
        return t(`notifications:changed.${originalStartTime === null ? 'whole' : 'date'}`, names)
      case 'cancelled':
        return t(`notifications:cancelled.${originalStartTime === null ? 'whole' : 'date'}`, names)
      case 'restored':
        return t(`notifications:restored.${originalStartTime === null ? 'whole' : 'date'}`, names)
      case 'waiting':
        return t(roomCode === null ? 'notifications:waiting' : 'notifications:waitingAtOwnRoom', names)
      case 'starting': {
        const isAhead = startTime !== null && new Date(startTime) > now
        return isAhead
          ? t('notifications:starting.ahead', { ...names, when: relative(startTime, now) })
          : t('notifications:starting.begun', names)
      }
      case 'started':
        return t('notifications:started', names)
      case 'answered':
        return t(`notifications:answered.${response ?? 'accepted'}`, names)
      case 'reviewed':
        return t(`notifications:reviewed.${outcome ?? 'approved'}`, names)
    }
  }
}
