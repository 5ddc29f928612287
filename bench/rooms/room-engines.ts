import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type ApiKey, issueToken } from '../../apps/server/src/media/room/livekit-token.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { startLivekit } from '../../test/livekit/livekit.ts'
import { findLivekit } from '../../test/livekit/livekit-program.ts'

/** A media engine in one process. */
export type RoomEngine = {
  name: string
  url: string
  pid: number
  token(room: string, identity: string): string
  [Symbol.asyncDispose](): Promise<void>
}

const tokenLifetimeMs = 10 * 60_000
const ownProgram = fileURLToPath(new URL('../../apps/server/src/media/main.ts', import.meta.url))

const tokensOf = (apiKey: ApiKey) => (room: string, identity: string) =>
  issueToken(
    { identity, name: identity, metadata: '', attributes: {}, video: { room, roomJoin: true } },
    apiKey,
    systemClock.now().getTime(),
    tokenLifetimeMs,
  )

/** Start the embedded engine as Parley does; `program` names that of another version. */
export async function startEmbedded(program = ownProgram): Promise<RoomEngine> {
  const apiKey = { key: 'bench', secret: 'a secret of the benchmark alone' }
  const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  child.send({ kind: 'start', apiKey: apiKey.key, apiSecret: apiKey.secret, udpPort: 0, publicAddress: '127.0.0.1' })
  const [{ port }] = await once(child, 'message')
  return {
    name: 'embedded',
    url: `ws://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    token: tokensOf(apiKey),
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}

/** @returns undefined where LiveKit is not built */
export async function startPeer(): Promise<RoomEngine | undefined> {
  if (findLivekit() === undefined) return undefined
  const livekit = await startLivekit({ webhookUrl: 'http://127.0.0.1:9/nobody' })
  const [{ url, process }] = livekit.nodes
  const apiKey = { key: livekit.apiKey, secret: livekit.apiSecret }
  return {
    name: 'LiveKit',
    url,
    pid: process.pid,
    token: tokensOf(apiKey),
    [Symbol.asyncDispose]: () => livekit[Symbol.asyncDispose](),
  }
}
