import { type RoomRight, roomRights } from '@parley/contract'
import type { Config } from '../../platform/config/config.ts'
import type { LivekitConfig } from '../../platform/config/config-media.ts'

/** The URL that browsers connect to: LiveKit's own, or this service's. */
export const mediaUrlOf = ({ livekit, baseUrl }: Pick<Config, 'livekit' | 'baseUrl'>): string =>
  livekit?.url ?? `${baseUrl.replace('http', 'ws')}/media`

/**
 * Servers that carry audio and video over LiveKit's protocol: LiveKit's own or the embedded one. All other code treats
 * both alike.
 */
export type MediaEngine = {
  /** The URL that browsers connect to. */
  url: string
  apiKey: string
  apiSecret: string
  /**
   * The http address of its API, without a path.
   * @throws media_unavailable if the engine does not start in time
   */
  apiAddress(): Promise<string>
  /**
   * Whether participants can be inside, and their list can be read: the embedded engine does not run before it is
   * needed, and may run on another machine (`out of reach`).
   */
  status(): Promise<'reachable' | 'out of reach' | 'none'>
}

/**
 * The rights that hosts can take from participants. LiveKit's permission has one bit for all data, so that chat,
 * reactions and raised hands cannot be told apart there.
 */
export const rightsControllableOn = ({ livekit }: Pick<Config, 'livekit'>): readonly RoomRight[] =>
  livekit === undefined ? roomRights : ['microphone', 'camera', 'screen']

/** LiveKit's API can forbid a participant all tracks or none, and no data between two participants. */
export const supportsBreakoutRooms = ({ livekit }: Pick<Config, 'livekit'>): boolean => livekit === undefined

/** The operator's own LiveKit servers. The servers are assumed to run: a failure shows in the calls. */
export const livekitMedia = ({ url, apiKey, apiSecret }: LivekitConfig): MediaEngine => ({
  url,
  apiKey,
  apiSecret,
  apiAddress: async () => url.replace('ws', 'http'),
  status: async () => 'reachable',
})
