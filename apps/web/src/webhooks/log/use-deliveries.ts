import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { deliveriesQuery, webhookQuery } from '../webhook-queries.ts'
import type { LogState } from '../webhook-search.ts'
import { refreshDelay } from './refresh-delay.ts'

/** An event is listed once it is published, which takes less than a second unless the service is busy. */
const expectForMs = 30_000
const expectedEveryMs = 500

type Expected = { eventId: string; sinceMs: number }

/** The log of a webhook, which is read again while something in it waits or is expected. */
export function useDeliveries(webhookId: string, state: LogState | undefined) {
  const queryClient = useQueryClient()
  const [expected, setExpected] = useState<Expected>()
  const log = useInfiniteQuery({
    ...deliveriesQuery(webhookId, state),
    refetchInterval: ({ state: { data } }) => {
      const loaded = data?.pages.flatMap(({ deliveries }) => deliveries) ?? []
      const nowMs = readClockMs()
      const isComing =
        expected !== undefined &&
        nowMs - expected.sinceMs < expectForMs &&
        loaded.every(({ eventId }) => eventId !== expected.eventId)
      return isComing ? expectedEveryMs : refreshDelay(loaded, nowMs)
    },
  })
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries)
  // An attempt may have changed the state of the webhook.
  const attempts = deliveries?.map((one) => `${one.eventId} ${one.attempts} ${one.state}`).join()
  useEffect(() => {
    if (attempts !== undefined) void queryClient.invalidateQueries(webhookQuery(webhookId))
  }, [attempts, webhookId, queryClient])
  return {
    log,
    deliveries,
    /** Read the log until this event is in it. */
    expect: (eventId: string) => setExpected({ eventId, sinceMs: readClockMs() }),
  }
}
