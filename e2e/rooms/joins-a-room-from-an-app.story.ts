import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { meetPeople, password } from '../../apps/server/test/people.ts'
import { freePorts } from '../../test/free-port.ts'
import { perceives, watchPeers } from '../media/perception.ts'
import { setRoomStage } from './room-stage.ts'

const stage = await setRoomStage()
const { alice, bob, carol } = await meetPeople(stage.app)
const { baseUrl } = stage.app.config
const program = fileURLToPath(new URL('../../examples/join/server.ts', import.meta.url))

/** Start the example as its README says. Its page is another site: `localhost` is not `127.0.0.1`. */
async function runExample(port: number, credentials: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, PARLEY: baseUrl, PORT: String(port), ...credentials },
  })
  after(() => child.kill())
  await once(child.stdout, 'data')
  return `http://127.0.0.1:${port}`
}

test('an app’s page on another origin joins as its user, who consented to that only', async () => {
  const [port = 0] = await freePorts(1)
  const callbackUrls = [`http://127.0.0.1:${port}/callback`]
  const planner = await approvedApp(stage.app, carol, { callbackUrls, scopes: ['meeting:join'] })
  const origin = await runExample(port, { CLIENT_ID: planner.clientId, CLIENT_SECRET: planner.clientSecret })
  const meeting = await stage.meet(alice, { loggedInOnly: true })
  const { page: host } = await stage.arrive(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()

  // The example has no favicon.
  const { page, context } = await stage.visit({ expected: /favicon/ })
  await watchPeers(context)
  await page.goto(origin)
  await page.getByRole('link', { name: 'Sign in with Parley' }).click()
  await page.getByLabel(/^E-?mail/).fill(bob.email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Join meetings as you').waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${origin}/`)
  await page.getByLabel('Meeting ID').fill(meeting.svcMeetId)
  await page.getByLabel('PIN').fill(meeting.pin)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText('You are inside.').waitFor()
  await page.getByText('Bob Test (you)').waitFor()
  await perceives(page, { pictures: 1, voices: 1 })
  await perceives(host, { pictures: 1, voices: 1 })

  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByText('It is over: left.').waitFor()
})
