import { RoomServiceClient } from 'livekit-server-sdk'
import { startMediaServer } from '../../src/media/media-server.ts'
import { issueToken, type VideoGrant } from '../../src/media/room/livekit-token.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/log.ts'
import { secureRandom } from '../../src/platform/random.ts'
import { RawClient } from './raw-client.ts'

const apiKey = { key: 'tests', secret: 'a secret of the tests' }
const tokenLifetimeMs = 60_000

type ReportedEvent = { event: string; room: { name: string }; participant?: { identity: string } }

/** The media server in the test's own process, and functions to connect to it. */
export async function startServerForTests(nowMs = () => systemClock.now().getTime()) {
  const events: ReportedEvent[] = []
  const server = await startMediaServer({
    apiKey,
    udpPort: 0,
    publicAddress: undefined,
    log: createLog({ level: 'silent' }),
    random: secureRandom,
    nowMs,
    onEvent: (event) => events.push(event as ReportedEvent),
  })
  const url = `ws://127.0.0.1:${server.port}`
  const clients: RawClient[] = []
  const token = (identity: string, video: VideoGrant, attributes: Record<string, string> = {}) => {
    const claims = { identity, name: identity, metadata: '', attributes, video: { roomJoin: true, ...video } }
    return issueToken(claims, apiKey, nowMs(), tokenLifetimeMs)
  }
  const join = (joinToken: string): RawClient => {
    const client = RawClient.join(url, joinToken)
    clients.push(client)
    return client
  }
  return {
    url,
    port: server.port,
    udpPort: server.udpPort,
    apiKey,
    events,
    service: new RoomServiceClient(`http://127.0.0.1:${server.port}`, apiKey.key, apiKey.secret),
    token,
    join,
    /** A participant in the room whose media can flow. */
    async enter(identity: string, video: VideoGrant): Promise<RawClient> {
      const client = join(token(identity, video))
      await client.connect()
      return client
    },
    async close(): Promise<void> {
      await Promise.all(clients.map((client) => client.close()))
      await server.close()
    },
  }
}
