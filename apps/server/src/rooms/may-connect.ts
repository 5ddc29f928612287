import { TokenVerifier } from 'livekit-server-sdk'
import type { MediaEngine } from './media-engine.ts'

/** Whether a token is one of ours, and has not expired. */
export function createMayConnect({ apiKey, apiSecret }: MediaEngine) {
  const verifier = new TokenVerifier(apiKey, apiSecret)
  return async (token: string): Promise<boolean> => {
    try {
      const { sub, video } = await verifier.verify(token)
      return sub !== undefined && video?.roomJoin === true
    } catch {
      return false
    }
  }
}
