import { defineHostControlTests } from '../../../test/rooms/host-control-tests.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

// The embedded engine, through the service's own address.
const clock = createClock('2030-01-07T09:00:00Z')
const environment = { RATE_LIMITS: 'off' }
const app = await startApp({ clock, environment, media: 'engine', emails: 'dropped' })
await defineHostControlTests({ app, clock, socketBase: `${app.base.replace('http', 'ws')}/media` })
