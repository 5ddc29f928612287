import { parseIp, parseLivekitUrl, parseTurnUrls, parseUdpPort } from './config-values.ts'
import type { EnvironmentReader } from './environment.ts'

/** The media configuration (docs/operations.md, "Audio and video"). */
export type MediaConfig = {
  /** Absent: use the embedded engine. */
  livekit?: LivekitConfig
  /** The address at which browsers reach the embedded engine, when it is not one of this machine's own. */
  mediaPublicAddress?: string
  /** The UDP port of the embedded engine; 0 lets the system choose. */
  mediaUdpPort: number
  /** The last port to try where `mediaUdpPort` is taken; absent where the operator has chosen the port. */
  lastMediaUdpPort?: number
  /** The relay for clients that cannot connect directly. */
  turn?: TurnConfig
}

/** LiveKit servers, for browsers and for API calls. */
export type LivekitConfig = {
  /** `wss://host` or `ws://host`, without a path. */
  url: string
  apiKey: string
  apiSecret: string
}

export type TurnConfig = { urls: readonly string[]; secret: string }

/** Below Linux's range of ephemeral ports. */
const defaultUdpPort = 30_000
/** More services than one machine runs. */
const maxUdpPortsTried = 100

export function readMediaConfig(read: EnvironmentReader): MediaConfig {
  const livekit = readLivekit(read)
  const mediaPublicAddress = read.parsed('MEDIA_PUBLIC_ADDRESS', undefined, 'an IP address', parseIp)
  const turn = readTurn(read)
  const portForm = 'a port from 1024 to 65535, or 0 for any'
  const mediaUdpPort = read.parsed('MEDIA_UDP_PORT', defaultUdpPort, portForm, parseUdpPort)
  return {
    ...(livekit !== undefined && { livekit }),
    ...(mediaPublicAddress !== undefined && { mediaPublicAddress }),
    mediaUdpPort,
    ...(read.text('MEDIA_UDP_PORT') === undefined && { lastMediaUdpPort: mediaUdpPort + maxUdpPortsTried - 1 }),
    ...(turn !== undefined && { turn }),
  }
}

/** All three variables or none: with two of them the server would refuse every participant. */
function readLivekit(read: EnvironmentReader): LivekitConfig | undefined {
  const form = 'the address of a LiveKit server, such as wss://livekit.example.org, without a path'
  const url = read.parsed('LIVEKIT_URL', undefined, form, parseLivekitUrl)
  const apiKey = read.text('LIVEKIT_API_KEY')
  const apiSecret = read.secret('LIVEKIT_API_SECRET')
  requireAllOrNone(read, {
    LIVEKIT_URL: read.text('LIVEKIT_URL'),
    LIVEKIT_API_KEY: apiKey,
    LIVEKIT_API_SECRET: apiSecret ?? read.text('LIVEKIT_API_SECRET_FILE'),
  })
  return url !== undefined && apiKey !== undefined && apiSecret !== undefined ? { url, apiKey, apiSecret } : undefined
}

function readTurn(read: EnvironmentReader): TurnConfig | undefined {
  const form = 'addresses of TURN servers, such as turn:turn.example.org:3478, separated by commas'
  const urls = read.parsed('TURN_URLS', undefined, form, parseTurnUrls)
  const secret = read.secret('TURN_SECRET')
  requireAllOrNone(read, {
    TURN_URLS: read.text('TURN_URLS'),
    TURN_SECRET: secret ?? read.text('TURN_SECRET_FILE'),
  })
  return urls !== undefined && secret !== undefined ? { urls, secret } : undefined
}

function requireAllOrNone(read: EnvironmentReader, variables: Record<string, string | undefined>) {
  const names = Object.keys(variables)
  const given = names.filter((name) => variables[name] !== undefined)
  if (given.length === 0) return
  for (const name of names) {
    if (!given.includes(name))
      read.refuse(`${name} must be given when ${given.join(' and ')} ${given.length > 1 ? 'are' : 'is'}.`)
  }
}
