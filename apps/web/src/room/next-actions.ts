import type { RoomEnd } from '@parley/client/join'

/** The ends that have a screen of their own. The join page shows refusals, and the form shows failures. */
export type ShownEnd = Exclude<RoomEnd['reason'], 'refused' | 'failed'>

type NextAction = 'rejoin' | 'ask' | 'meetings' | 'close'

/**
 * The actions after an end: rejoin unless the meeting is over for the participant, ask the host after a removal, and
 * open the meeting list when signed in.
 */
export function nextActions(reason: ShownEnd, signedIn: boolean): NextAction[] {
  const mayRejoin = ['left', 'elsewhere', 'lost', 'too_much_sent'].includes(reason)
  const mayAsk = reason === 'removed'
  return [
    ...(mayRejoin ? ['rejoin' as const] : []),
    ...(mayAsk ? ['ask' as const] : []),
    signedIn ? 'meetings' : 'close',
  ]
}
