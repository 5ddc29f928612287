import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestApp } from '../../apps/server/test/start-app.ts'
import { deliverDue } from '../../apps/server/test/webhooks/webhooks.ts'

const everyMs = 100

/** Publish and deliver events as a running service does. A story stops it at its end, before the app closes. */
export function deliverContinuously(app: TestApp): { stop(): Promise<void> } {
  let isStopped = false
  const running = (async () => {
    while (!isStopped) {
      await deliverDue(app)
      await sleep(everyMs)
    }
  })()
  const stop = () => {
    isStopped = true
    return running
  }
  after(stop)
  return { stop }
}
