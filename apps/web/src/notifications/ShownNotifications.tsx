import { directionOf } from '@parley/texts/languages'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { findServiceWorker } from '../session/service-worker-registration.ts'
import { useDates } from '../texts/dates.ts'
import { isolate } from '../texts/isolate.ts'
import { type Notification as Entry, notificationsQuery } from './notification-queries.ts'

const minuteMs = 60_000

/** Another window of the browser that shows the same does so within this time. */
const claimMs = 10_000

/** Those that are pushed too. */
const shownKinds: ReadonlySet<Entry['kind']> = new Set(['starting', 'started', 'waiting'])

/**
 * Show new notifications on the device, as the service worker shows pushed ones (app/service-worker), in a browser
 * without a push service. What was there when the page was opened is not shown; of several windows, one shows each.
 */
export function ShownNotifications() {
  const { t, i18n } = useTranslation(['push', 'app'])
  const { time } = useDates()
  const { data, dataUpdatedAt } = useInfiniteQuery(notificationsQuery)
  const known = useRef<Set<string>>(undefined)
  const all = data?.pages[0]?.notifications
  useEffect(() => {
    if (all === undefined) return
    const earlier = known.current
    known.current = new Set(all.map(({ _id }) => _id))
    if (earlier === undefined) return
    const { language } = i18n
    for (const one of all) {
      if (earlier.has(one._id) || one.readOn !== null || !shownKinds.has(one.kind)) continue
      const isOwnRoom = one.kind === 'waiting' && one.roomCode !== null
      const title = isOwnRoom ? t('push:ownRoom') : one.subject
      void showOnce(one, title, { body: bodyOf(one), lang: language, dir: directionOf(language) })
    }

    function bodyOf({ kind, person, startTime }: Entry): string {
      if (kind === 'started') return t('push:started')
      if (kind === 'waiting' || startTime === null) {
        return t('push:waiting', { person: person === '' ? t('push:guest') : isolate(language, person) })
      }
      const minutes = Math.round((new Date(startTime).getTime() - dataUpdatedAt) / minuteMs)
      const starting = minutes < 1 ? t('push:startingNow') : t('push:starting', { count: minutes })
      return `${starting} · ${time(startTime)}`
    }
  }, [all, dataUpdatedAt, t, i18n, time])
  return null
}

async function showOnce({ _id: tag, roomCode, meetingId }: Entry, title: string, options: NotificationOptions) {
  const path = roomCode === null ? `/meetings/${meetingId}` : `/j/${roomCode}`
  const show = async () => {
    const registration = await findServiceWorker()
    await registration?.showNotification(title, { ...options, tag, icon: '/icon-192.png', data: { path } })
  }
  await navigator.locks.request(`parley-notification ${tag}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return
    await show()
    await new Promise((resolve) => setTimeout(resolve, claimMs))
  })
}
