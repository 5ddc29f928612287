import { after } from 'node:test'
import { defineHostControlTests } from '../../apps/server/test/rooms/host-control-tests.ts'
import { createClock, startApp } from '../../apps/server/test/start-app.ts'
import { freePorts } from '../helpers/free-port.ts'
import { startLivekit } from './livekit.ts'

// A real LiveKit that sends its webhooks to the Parley of this test.
const [port = 0] = await freePorts(1)
const livekit = await startLivekit({ webhookUrl: `http://127.0.0.1:${port}/media/events` })
after(() => livekit[Symbol.asyncDispose]())
const clock = createClock('2030-01-07T09:00:00Z')
const environment = { RATE_LIMITS: 'off', ...livekit.environment }
const app = await startApp({ port, clock, environment, media: 'engine', emails: 'dropped' })
await defineHostControlTests({ app, clock, socketBase: livekit.environment.LIVEKIT_URL })
