import type { RoomEnd } from '@parley/client/join'

/** The ends that have a screen of their own; the door and the form say the others. */
export type ShownEnd = Exclude<RoomEnd['reason'], 'refused' | 'failed'>

export type WayOn = 'rejoin' | 'ask' | 'meetings' | 'close'

/** Where it may go on: back in where nobody has said that it is over, to the host where one has said no, and to one's meetings where one has some. */
export function waysOn(reason: ShownEnd, signedIn: boolean): WayOn[] {
  const mayRejoin = ['left', 'elsewhere', 'lost', 'too_much_sent'].includes(reason)
  const mayAsk = reason === 'removed'
  return [
    ...(mayRejoin ? ['rejoin' as const] : []),
    ...(mayAsk ? ['ask' as const] : []),
    signedIn ? 'meetings' : 'close',
  ]
}
