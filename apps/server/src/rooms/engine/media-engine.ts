import type { Config } from '../../platform/config/config.ts'

/** Where browsers connect: LiveKit's own address, or ours. */
export const mediaUrlOf = ({ livekit, baseUrl }: Pick<Config, 'livekit' | 'baseUrl'>): string =>
  livekit?.url ?? `${baseUrl.replace('http', 'ws')}/media`

/**
 * What carries sound and pictures: servers that speak LiveKit's protocol, LiveKit's own or the embedded one. Everything
 * else is the same over both.
 */
export type MediaEngine = {
  /** Where browsers connect. */
  url: string
  apiKey: string
  apiSecret: string
  /**
   * Where its API is called, an http address without a path.
   * @throws media_unavailable when there is none in time
   */
  apiAddress(): Promise<string>
  /**
   * Whether anybody can be inside, and can be asked about: an engine of our own does not run before it is needed, and may
   * run on another machine.
   */
  place(): Promise<'reachable' | 'out of reach' | 'none'>
}
