import { listNotifications, markNotificationsRead, type Notification } from '@parley/contract'
import { combine, type Parsed, readOptional, refuseAt } from '@parley/rules/text/parsed'
import type { Access } from '../access/access.ts'
import type { Caller } from '../access/caller.ts'
import { namesUnverifiedParticipants } from '../access/trusted-address.ts'
import { readPosition, writePosition } from '../platform/database/cursor.ts'
import { isUuid } from '../platform/database/uuid.ts'
import type { Platform } from '../platform/platform.ts'
import {
  countUnreadNotifications,
  listNotificationRows,
  markRead,
  notificationRetentionMs,
} from './notification-store.ts'

type Dependencies = Pick<Platform, 'clock' | 'config'> & Pick<Access, 'serve'>

const defaultLimit = 30

/** Register the endpoints of the bell: what happened to the caller, and that it was read. */
export function registerNotifications({ serve, clock, config }: Dependencies): void {
  serve(listNotifications, {
    read: ({ query }) => readPosition(query.after),
    handle: async ({ caller, query, input: before, database }) => {
      const reader = readerOf(caller, clock.now())
      const { limit = defaultLimit } = query
      const names = { tenantId: caller.tenantId, namesEveryAddress: namesUnverifiedParticipants(config) }
      const page = { before: before ?? null, limit: limit + 1 }
      const found = await listNotificationRows(database, { ...reader, ...names, ...page })
      const rows = found.slice(0, limit)
      const last = found.length > limit ? rows.at(-1) : undefined
      return {
        notifications: rows.map(viewNotification),
        unreadCount: await countUnreadNotifications(database, reader),
        moreAvailable: last !== undefined,
        nextCursor: last === undefined ? null : writePosition(last.number),
      }
    },
  })
  serve(markNotificationsRead, {
    read: ({ body }) =>
      combine({
        notificationId: readOptional(body.notificationId, (id) => readId('/notificationId', id)),
        upTo: readOptional(body.upTo, (id) => readId('/upTo', id)),
      }),
    handle: async ({ caller: { accountId }, input: { notificationId = null, upTo = null }, database }) => {
      await markRead(database, { accountId, notificationId, upTo, now: clock.now() })
    },
  })
}

const readerOf = ({ accountId, addressTrusted }: Caller, now: Date) => ({
  accountId,
  addressTrusted,
  oldest: new Date(now.getTime() - notificationRetentionMs),
})

const readId = (path: string, text: string): Parsed<string> =>
  isUuid(text) ? { value: text } : refuseAt(path, 'bad_format', 'must be the _id of a notification')

type NotificationRow = Awaited<ReturnType<typeof listNotificationRows>>[number]

function viewNotification({ data, ownRoomCode, code, hostName, guestName, ...row }: NotificationRow): Notification {
  return {
    _id: row.id,
    kind: row.kind,
    createdOn: row.occurredAt.toISOString(),
    readOn: row.readAt?.toISOString() ?? null,
    meetingId: ownRoomCode === null ? row.meetingId : null,
    roomCode: ownRoomCode ?? code,
    appId: row.appId,
    subject: data.subject ?? '',
    person: row.kind === 'answered' || row.kind === 'waiting' ? (guestName ?? data.person ?? '') : (hostName ?? ''),
    startTime: data.startsAt === undefined ? null : new Date(data.startsAt).toISOString(),
    originalStartTime: data.originalStartTime ?? null,
    response: data.response ?? null,
    outcome: data.outcome ?? null,
  }
}
