import { setTimeout as pause } from 'node:timers/promises'
import { startMediaServer } from '../../src/media/media-server.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/log.ts'
import { secureRandom } from '../../src/platform/random.ts'

/** The resources that a process holds. */
export type ResourceUsage = { resources: Record<string, number>; heapOctets: number }

/** The media server in its own process, which reports the resources it holds on request. Needs --expose-gc. */
const [apiKey = '', apiSecret = ''] = process.argv.slice(2)
const server = await startMediaServer({
  apiKey: { key: apiKey, secret: apiSecret },
  udpPort: 0,
  publicAddress: undefined,
  log: createLog({ level: 'error' }),
  random: secureRandom,
  nowMs: () => systemClock.now().getTime(),
  onEvent: (event) => process.send?.({ event }),
})

async function measure(): Promise<ResourceUsage> {
  // Handles are closed and finalizers run in later turns of the event loop.
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc?.()
    await pause(100)
  }
  const resources: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1
  return { resources, heapOctets: process.memoryUsage().heapUsed }
}

process.on('message', () => {
  measure().then((holdings) => process.send?.({ holdings }))
})
process.on('disconnect', () => process.exit())
process.send?.({ port: server.port })
