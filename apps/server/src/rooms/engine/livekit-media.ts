import type { LivekitConfig } from '../../platform/config/config-media.ts'
import type { MediaEngine } from './media-engine.ts'

/** The operator's own LiveKit servers. Whether they answer shows in the calls: they are not waited for. */
export const livekitMedia = ({ url, apiKey, apiSecret }: LivekitConfig): MediaEngine => ({
  url,
  apiKey,
  apiSecret,
  apiAddress: async () => url.replace('ws', 'http'),
  place: async () => 'reachable',
})
