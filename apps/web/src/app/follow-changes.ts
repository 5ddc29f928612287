import { listen } from '@parley/client'
import { type UserChanges, watchUser } from '@parley/contract'
import type { QueryClient } from '@tanstack/react-query'
import { meetingKeys } from '../meetings/meeting-keys.ts'
import { notificationKeys } from '../notifications/notification-queries.ts'
import { showsOnDevice } from '../session/device-notifications.ts'
import { sessionQuery } from '../session/session.ts'

/** What the window with the stream passes on to the other windows of the browser. */
type Hint = Omit<UserChanges, 'number'>

/** Changes within this time are read together: many guests answer an invitation in the same minute. */
const gatherMs = 1_000

/** The lock of the window that holds the stream, and the channel to the other windows. */
const sharedName = 'parley-user-events'

/**
 * Read again what this window shows when other people or other browsers change it (docs/architecture.md, "Open pages
 * follow changes"). One window of the browser holds the stream, under a lock that the next one gets when it is closed;
 * without locks, which need HTTPS, each window holds its own. `signal` ends it.
 */
export async function followChanges(queryClient: QueryClient, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const channel = new BroadcastChannel(sharedName)
  signal.addEventListener('abort', () => channel.close())
  const refresh = createRefresh(queryClient)
  channel.onmessage = ({ data }: MessageEvent<Hint>) => refresh(data)

  async function holdStream() {
    let isFirst = true
    const watching = listen({ base: '' }, watchUser, {}, { signal })
    for await (const { number, ...changes } of watching) {
      // What changed while there was no stream is not known. The first time, the page has only just been read.
      const wasLost = number === 0 && !isFirst
      isFirst = false
      if (number === 0 && !wasLost) continue
      const hint: Hint = { ...changes, ...(wasLost && { moreChanged: true, notificationsChanged: true }) }
      refresh(hint)
      channel.postMessage(hint)
    }
  }

  try {
    if (navigator.locks === undefined) await holdStream()
    else await navigator.locks.request(sharedName, { signal }, holdStream)
  } catch {
    // Refused, or the page is closed. The pages are as fresh as their own requests; an ended session shows at the next.
  }
}

/** Gather hints, and read again the visible queries that they concern. */
function createRefresh(queryClient: QueryClient): (hint: Hint) => void {
  const meetingIds = new Set<string>()
  let all = false
  let isGathering = false

  function refresh() {
    isGathering = false
    const [changed, isAll] = [new Set(meetingIds), all]
    meetingIds.clear()
    all = false
    const refetchType = document.hidden ? 'none' : 'active'
    // A hidden page that shows notifications on the device reads them all the same.
    const { _id: accountId = '' } = queryClient.getQueryData(sessionQuery.queryKey) ?? {}
    void queryClient.invalidateQueries({
      queryKey: notificationKeys.all,
      refetchType: showsOnDevice(accountId) ? 'active' : refetchType,
    })
    if (!isAll && changed.size === 0) return
    void queryClient.invalidateQueries({
      queryKey: meetingKeys.all,
      predicate: ({ queryKey }) => isConcerned(queryKey, isAll ? undefined : changed),
      refetchType,
    })
  }

  return (hint) => {
    for (const id of hint.meetingIds) meetingIds.add(id)
    all ||= hint.moreChanged
    if (isGathering) return
    isGathering = true
    setTimeout(refresh, gatherMs)
  }
}

/**
 * Lists and calendars may show any meeting; what is read of one meeting is concerned if that one has changed. A form that
 * is open keeps the version that it began with, and learns of another one when it is saved.
 */
function isConcerned(queryKey: readonly unknown[], changed: ReadonlySet<string> | undefined): boolean {
  const [, part, meetingId, use] = queryKey
  if (use === 'edited' || use === 'moved') return false
  return part !== 'one' || changed === undefined || changed.has(String(meetingId))
}
