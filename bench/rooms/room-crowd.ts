import { RoomGuest } from './room-guest.ts'

/**
 * A separate process for the guests, so that their cost is not counted as the server's. The parent sends commands to
 * it.
 */

export type CrowdOrder = { kind: 'enter'; url: string; token: string } | { kind: 'count' }
export type CrowdReport =
  | { kind: 'entered' }
  | { kind: 'failed'; why: string }
  /** RTP packets received by each guest, in the order in which the guests entered. */
  | { kind: 'counted'; received: number[]; atMs: number }

const guests: RoomGuest[] = []
const report = (message: CrowdReport) => process.send?.(message)

process.on('message', async (order: CrowdOrder) => {
  if (order.kind === 'count') {
    report({ kind: 'counted', received: guests.map(({ received }) => received), atMs: performance.now() })
    return
  }
  try {
    guests.push(await RoomGuest.enter(order.url, order.token))
    report({ kind: 'entered' })
  } catch (error) {
    report({ kind: 'failed', why: String(error) })
  }
})
process.on('disconnect', () => process.exit())
