import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { appPath, meetDevelopers, submit } from '../../apps/server/test/oauth/apps.ts'
import { type Person, password } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { freePorts } from '../../test/helpers/free-port.ts'
import { perceives, watchPeers } from '../media/perception.ts'
import { startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { olga: alice, dan, carol: bob } = await meetDevelopers(story.app)
const { baseUrl } = story.app.config
const root = fileURLToPath(new URL('../../', import.meta.url))
const readme = readFileSync(new URL('../../examples/join/README.md', import.meta.url), 'utf8')

/** What the README names, on a free port in place of its own. */
function stepOf(pattern: RegExp, port: number): string {
  const [, found] = pattern.exec(readme) ?? []
  assert.ok(found !== undefined, `The README has no ${pattern}`)
  return found.replace('8080', String(port))
}

/** Follow the README up to the running program. @returns the address that it says to open */
async function followReadme(): Promise<string> {
  const [port = 0] = await freePorts(1)
  const scopes = [stepOf(/with the scope `([^`]+)`/, port)]
  const registered = await submit(dan, {
    name: `Example ${port}`,
    scopes,
    callbackUrls: [stepOf(/the callback `([^`]+)`/, port)],
  })
  const body = { name: 'Example', sandbox: true }
  const { secret } = await expectOk(dan.send('POST', appPath(registered, '/secrets'), body), 201)
  await expectOk(dan.send('PUT', appPath(registered, '/testers'), { testers: [bob.email] }))
  const credentials = { CLIENT_ID: registered.sandboxClientId, CLIENT_SECRET: secret }
  const program = stepOf(/run `npx node ([^`]+)`/, port)
  const child = spawn(process.execPath, [program], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A slash at the end, as people paste it.
    env: { PATH: process.env.PATH, PARLEY: `${baseUrl}/`, PORT: String(port), ...credentials },
  })
  after(() => child.kill())
  await once(child.stdout, 'data')
  return stepOf(/Open `([^`]+)`/, port)
}

/** A person at the page of the example. */
async function openPage(origin: string) {
  // The example has no favicon, its token may not see who waits, and its own server is no Parley.
  const { page, context } = await story.openPage({ expected: /favicon|status of 40[34]/ })
  await watchPeers(context)
  await page.goto(origin)
  return page
}

async function signIn(page: Awaited<ReturnType<typeof openPage>>, { email }: Person, origin: string) {
  await page.getByRole('link', { name: 'Sign in with Parley' }).click()
  await page.getByLabel(/^E-?mail/).fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const invited = page.getByRole('button', { name: 'Accept' })
  await page.getByText('Join meetings as you').or(invited).first().waitFor()
  if (await invited.isVisible()) await invited.click()
  await page.getByText('Join meetings as you').waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${origin}/`)
}

test('the example does what its README says: its page on another origin joins as the person who signs in', async () => {
  const origin = await followReadme()
  const meeting = await story.startMeeting(alice, { loggedInOnly: true })
  const { page: host } = await story.openMeeting(meeting, alice)
  await host.getByRole('button', { name: 'Join now' }).click()

  const page = await openPage(origin)
  await signIn(page, bob, origin)
  await page.getByLabel('Meeting ID').fill(meeting.svcMeetId)
  await page.getByLabel('PIN').fill(meeting.pin)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText('You are inside.').waitFor()
  await page.getByText(`${bob.profile.name} Test (you)`).waitFor()
  await perceives(page, { pictures: 1, voices: 1 })
  await perceives(host, { pictures: 1, voices: 1 })

  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByText('It is over: left.').waitFor()

  // The developer hosts a meeting, and needs no PIN.
  const own = await story.startMeeting(dan, {})
  const second = await openPage(origin)
  await signIn(second, dan, origin)
  await second.getByLabel('Meeting ID').fill(own.svcMeetId)
  await second.getByRole('button', { name: 'Join' }).click()
  await second.getByText('You are inside.').waitFor()
})

test('a personal token joins without an app, and the page says what is wrong with an address', async () => {
  const origin = await followReadme()
  const page = await openPage(origin)
  const body = { name: 'Page', scopes: ['meeting:join'] }
  const { token } = await expectOk(alice.send('POST', '/api/auth/tokens', body), 201)
  const own = await story.startMeeting(alice, {})
  await page.getByLabel('Meeting ID').fill(own.svcMeetId)
  await page.getByLabel('An access token').fill(token)
  const address = page.getByLabel('Parley’s address').or(page.getByLabel("Parley's address"))
  await address.fill(`${origin}/`)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText(/^It failed: /).waitFor()

  await address.fill(`${baseUrl}/`)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText('You are inside.').waitFor()
})
