import type { Server } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Whoever was answered last has connected again by then, if that is what they do, on a busy machine too. */
const settleMs = 300
/** So long must nobody have connected. */
const quietMs = 50
/** Nobody is answered meanwhile, so a quiet moment comes at once; a flood of connections is not waited out. */
const quietMomentLimitMs = 1_000

/**
 * Prepares the end of a server that is not ready yet, and returns the deed: it stops listening without losing a request
 * that was sent, and resolves when all are answered. What is left after `limitMs` is cut.
 *
 * The kernel takes connections before Node does, and resets those that Node has not accepted when it stops listening. So
 * the answers that are ready wait for a moment, which keeps clients from connecting anew, until nobody waits to be accepted.
 */
export function prepareGentleClose(http: FastifyInstance): (limitMs: number) => Promise<void> {
  let held: Promise<void> | undefined
  http.addHook('onSend', (_request, _reply, payload, send) => {
    if (held === undefined) send(null, payload)
    else void held.then(() => send(null, payload))
  })
  return async (limitMs) => {
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    held = promise
    await sleep(settleMs)
    await quietMoment(http.server)
    const { promise: closed, resolve: reportClosed } = Promise.withResolvers<void>()
    http.server.close(() => reportClosed())
    letGo()
    const giveUp = setTimeout(() => http.server.closeAllConnections(), limitMs)
    await closed
    clearTimeout(giveUp)
  }
}

/** Waits until nobody has connected for a while. Node accepts one connection in each turn of its loop. */
async function quietMoment(server: Server): Promise<void> {
  const latestMs = performance.now() + quietMomentLimitMs
  let lastConnectedMs = performance.now()
  const note = () => {
    lastConnectedMs = performance.now()
  }
  server.on('connection', note)
  while (performance.now() < Math.min(lastConnectedMs + quietMs, latestMs)) await nextTurn()
  server.off('connection', note)
}
