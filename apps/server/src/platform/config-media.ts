import { type PortRange, parseIp, parseLivekitUrl, parsePortRange, parseTurnUrls } from './config-values.ts'
import type { EnvironmentReader } from './environment.ts'

/** What carries sound and pictures (operations.md, Sound and pictures). */
export type MediaConfig = {
  /** Absent: the embedded engine. */
  livekit?: LivekitConfig
  /** Where browsers reach the embedded engine, when that is no address of this machine's own. */
  mediaPublicAddress?: string
  /** The embedded engine's. */
  mediaUdpPorts: PortRange
  /** The relay for those whom no packet reaches directly. */
  turn?: TurnConfig
}

/** LiveKit servers, for browsers and for calls of our own. */
export type LivekitConfig = {
  /** `wss://host` or `ws://host`, without a path. */
  url: string
  apiKey: string
  apiSecret: string
}

export type TurnConfig = { urls: readonly string[]; secret: string }

/** Two for each of 200 people; below what Linux hands to programs that ask for any port. */
const usualUdpPorts: PortRange = { from: 30_000, to: 30_399 }

export function readMediaConfig(read: EnvironmentReader): MediaConfig {
  const livekit = readLivekit(read)
  const mediaPublicAddress = read.parsed('MEDIA_PUBLIC_ADDRESS', undefined, 'an IP address', parseIp)
  const turn = readTurn(read)
  const form = 'a range such as 30000-30399, within 1024 to 65535'
  return {
    ...(livekit !== undefined && { livekit }),
    ...(mediaPublicAddress !== undefined && { mediaPublicAddress }),
    mediaUdpPorts: read.parsed('MEDIA_UDP_PORTS', usualUdpPorts, form, parsePortRange),
    ...(turn !== undefined && { turn }),
  }
}

/** All three or none: with two of them people would be sent to a server that does not know them. */
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
