import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * A change that is made in one tab refreshes the pages that other tabs of this browser show. They share the session, and
 * each reads with it what it shows; nothing but the key is passed on, and the server is asked for what is visible only.
 */
// Tests in Node load this module as well, and a channel would keep their process running.
const channel = typeof window === 'undefined' ? undefined : new BroadcastChannel('parley-changes')

/** Refresh what other tabs report as out of date: at once in a visible tab, in a hidden one when it is shown again. */
export function followOtherTabs(client: QueryClient): void {
  if (channel === undefined) return
  channel.onmessage = ({ data: queryKey }: MessageEvent<QueryKey>) =>
    void client.invalidateQueries({ queryKey, refetchType: document.hidden ? 'none' : 'active' })
}

/** Notify the other tabs which queries a change has made out of date. */
export const notifyOtherTabs = (queryKey: QueryKey): void => channel?.postMessage(queryKey)
