import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { simpleParser } from 'mailparser'
import type { Page } from 'playwright-core'
import { password } from '../../apps/server/test/people.ts'
import { dataFolderOf, runService } from '../../apps/server/test/processes/run-service.ts'
import { datesBetween, readCalendar } from '../../test/calendar-readers/read-with-ical-js.ts'
import { freePorts } from '../../test/helpers/free-port.ts'
import { checkPage } from '../check-page.ts'
import { chooseInPersonMenu } from '../person-menu.ts'
import { clickWhereSeen } from '../real-input.ts'
import { openBrowser } from '../start-story.ts'
import { startAssistantProgram } from './assistant-program.ts'

/*
 * The whole way of an assistant at a service that `npm start` started, with nothing set but its port, its data folder
 * and its sender address. All that people do is done in the browser, with the mouse; all that the assistant does is
 * done by the official client, which is given the service's URL and its client id.
 */

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The service is killed at the end, while pages follow changes. */
const cutOff = /net::ERR_(INCOMPLETE_CHUNKED_ENCODING|CONNECTION_REFUSED) \S+\/api\/user\/events$/

async function startByDefault(t: TestContext) {
  const [port = 0] = await freePorts(1)
  const base = `http://localhost:${port}`
  const dataDir = await dataFolderOf(t)
  const { setUpCodes } = await runService(t, {
    environment: { PORT: String(port), BASE_URL: base, DATA_DIR: dataDir, MAIL_FROM: 'Parley <parley@example.org>' },
    command: ['npm', 'start'],
    cwd: root,
  })
  return { base, mailFolder: join(dataDir, 'mail'), setUpCode: setUpCodes()[0] }
}

/** Wait for the invitation among the files that the service writes without a mail server. */
async function invitationIn(folder: string) {
  for (;;) {
    const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
    for (const name of files) {
      const mail = await simpleParser(await readFile(join(folder, name)))
      if (mail.subject?.startsWith('Invitation:')) return mail
    }
    await sleep(50)
  }
}

async function click(page: Page, role: 'button' | 'link' | 'tab' | 'radio' | 'checkbox', name: string | RegExp) {
  const element = page.getByRole(role, { name, exact: typeof name === 'string' })
  await element.waitFor()
  await element.scrollIntoViewIfNeeded()
  await clickWhereSeen(element)
}

/** @param setUpCode what the service has printed, for the first account */
async function createAccount(page: Page, name: string, setUpCode?: string) {
  await page.getByLabel('First name').fill(name)
  await page.getByLabel('Email address').fill(`${name.toLowerCase()}@example.org`)
  await page.getByLabel(/^Password/).fill(password)
  if (setUpCode !== undefined) await page.getByLabel(/^Set-up code/).fill(setUpCode)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Meetings', level: 1 }).waitFor()
}

/** Olga, the first account, registers the assistant in the portal, and approves it as the only reviewer. */
async function registerAssistant(page: Page): Promise<string> {
  await click(page, 'link', 'Developers')
  await click(page, 'link', 'Register an app')
  await page.getByLabel(/^App name/).fill('Calendar Assistant')
  await page.getByLabel(/^Use case/).selectOption({ label: 'Scheduling and calendars' })
  for (const field of ['Home page', 'Privacy policy', 'Logo']) {
    await page.getByLabel(new RegExp(`^${field}`)).fill('https://assistant.example/')
  }
  await click(page, 'radio', /^On a device/)
  await page.getByLabel('Callback URL 1', { exact: true }).fill('http://127.0.0.1/callback')
  for (const permission of [
    'Read your profile information',
    'Create meetings on your behalf',
    'Delete meetings that you created',
    'Read your meetings, including details and participants',
    /^Update meetings that you created/,
  ]) {
    await click(page, 'checkbox', permission)
  }
  await click(page, 'button', 'Submit for review')
  await page.getByText('A person is reviewing it').waitFor()
  await click(page, 'link', 'Back to meetings')
  await click(page, 'link', 'Administration')
  await click(page, 'link', /^Reviews/)
  await click(page, 'link', 'Calendar Assistant')
  await click(page, 'button', /^Approve/)
  await page.getByRole('dialog').waitFor()
  await clickWhereSeen(page.getByRole('dialog').getByRole('button', { name: 'Approve' }))
  await page.getByText('Calendar Assistant is approved.').waitFor()
  await click(page, 'link', 'Back to meetings')
  await click(page, 'link', 'Developers')
  await click(page, 'link', /Calendar Assistant/)
  await click(page, 'tab', 'Credentials')
  return page.getByLabel('Client ID', { exact: true }).inputValue()
}

test('a weekly meeting over a clock change, what was left out, and the end of it all', {
  timeout: 300_000,
}, async (t) => {
  const { base, mailFolder, setUpCode } = await startByDefault(t)
  const { openPageAt, expectNoErrors } = await openBrowser()
  t.after(expectNoErrors)
  const { page: olga } = await openPageAt(base, { expected: cutOff })
  await olga.goto('/')
  await createAccount(olga, 'Olga', setUpCode)
  const clientId = await registerAssistant(olga)

  const { page, context } = await openPageAt(base, { expected: cutOff })
  await page.goto('/sign-up')
  await createAccount(page, 'Alice')
  // The page goes on reading after it is painted, and must not do so without its session.
  await page.goto('about:blank')
  await context.clearCookies()

  const program = await startAssistantProgram({
    address: `${base}/mcp`,
    client: { clientId },
    page,
  })
  const asks = page.getByRole('heading', { name: 'Allow Calendar Assistant to use your account?' })

  // From the 401 alone: the metadata of the resource, that of its authorization server, sign-in and consent.
  const connecting = program.connect()
  await page.getByLabel('Email address').fill('alice@example.org')
  await page.getByLabel('Password').fill(password)
  await click(page, 'button', 'Sign in')
  await asks.waitFor()
  await page.getByText('You continue to the app on this device').waitFor()
  await checkPage(page, 'assistant-consent')
  await click(page, 'button', 'Allow')
  await connecting
  assert.deepEqual(
    program.sent.map(({ method, path, status }) => `${method} ${path} ${status}`),
    [
      'POST /mcp 401',
      'GET /.well-known/oauth-protected-resource/mcp 200',
      'GET /.well-known/oauth-authorization-server 200',
      'POST /api/oauth2/v2/token 200',
      'POST /mcp 200',
    ],
  )
  const [request] = program.opened
  assert.deepEqual(
    ['resource', 'scope', 'code_challenge_method'].map((name) => request?.searchParams.get(name)),
    [`${base}/mcp`, 'meeting:read', 'S256'],
  )
  assert.match((await program.callOnce('list_meetings')).sentence, /^No meeting was found\./)

  // She allows more when a tool needs more, and sees only what is new.
  const proposing = program.call('propose_meeting', {
    topic: 'Weekly review',
    startTime: '2030-10-21T09:00',
    durationMinutes: 45,
    timeZone: 'Europe/Berlin',
    participants: ['bob@example.org'],
    repeatOptions: { repeat: 'weekly', daysOfWeek: ['monday'], count: 3 },
  })
  await page.getByRole('heading', { name: 'New: Calendar Assistant will also be able to:' }).waitFor()
  assert.deepEqual(await checkboxesOf(page), ['Create meetings on your behalf'])
  await click(page, 'button', 'Allow')
  const { result: proposed, sentence } = await proposing
  assert.match(sentence, /^Proposed, not scheduled yet: “Weekly review” on Monday, 21 October 2030, 09:00–09:45 /)
  assert.deepEqual(proposed.notes, [
    'From Monday, 28 October 2030 on, the clock in Europe/Berlin is at +01:00 instead of +02:00: the meeting stays at 09:00 there.',
  ])
  const dates = ['2030-10-21T07:00:00.000Z', '2030-10-28T08:00:00.000Z', '2030-11-04T08:00:00.000Z']
  assert.deepEqual(startsOf(proposed), [
    ['Monday', '2030-10-21T09:00', '+02:00', dates[0]],
    ['Monday', '2030-10-28T09:00', '+01:00', dates[1]],
    ['Monday', '2030-11-04T09:00', '+01:00', dates[2]],
  ])

  const { proposal } = proposed
  const { result: scheduled } = await program.callOnce('schedule_meeting', { proposal })
  const { result: repeated } = await program.callOnce('schedule_meeting', { proposal })
  assert.equal(repeated.meetingId, scheduled.meetingId)
  assert.deepEqual(startsOf(scheduled), startsOf(proposed))

  // What the guest's calendar program reads, and what Alice sees, are the same dates.
  const mail = await invitationIn(mailFolder)
  assert.deepEqual([mail.to].flat()[0]?.text, 'bob@example.org')
  assert.match(mail.text ?? '', /Monday, 21 October 2030, 09:00–09:45 \(Berlin, UTC\+02:00\)/)
  const calendar = mail.attachments.find(({ contentType }) => contentType.startsWith('text/calendar'))
  const { events, method } = readCalendar(calendar?.content.toString() ?? '')
  assert.equal(method, 'REQUEST')
  assert.equal(events[0]?.startDate.zone.tzid, 'Europe/Berlin')
  assert.deepEqual(
    datesBetween(events, new Date('2030-10-01T00:00:00Z'), new Date('2030-12-01T00:00:00Z')).map(
      (date) => date.split('/')[0],
    ),
    dates,
  )
  const { result: listed } = await program.callOnce('list_meetings')
  assert.deepEqual([listed.totalCount, listed.meetings[0].next.start.utc], [1, dates[0]])
  const list = await openPageAt(base, { expected: cutOff, storageState: await context.storageState() })
  await list.page.goto('/meetings')
  await list.page.getByText('Monday, 21 October 2030').waitFor()
  // She is in London.
  await list.page.getByText('08:00–08:45').first().waitFor()

  // What she does not allow stays refused, with every scope named.
  const { meetingId } = scheduled
  const cancel = { meetingId, occurrence: 'all' }
  // Expected from the start: the refusal may arrive before the click has ended.
  const cancelling = assert.rejects(program.call('cancel_meeting', cancel), /the user denied the request/)
  await page.getByRole('heading', { name: 'New: Calendar Assistant will also be able to:' }).waitFor()
  assert.deepEqual(await checkboxesOf(page), ['Delete meetings that you created'])
  await checkPage(page, 'assistant-consent-more')
  await click(page, 'button', 'Deny')
  await cancelling
  await assert.rejects(program.callOnce('cancel_meeting', cancel), { name: 'UnauthorizedError' })
  const refusal = program.sent.findLast(({ status }) => status === 403)
  assert.match(refusal?.challenge ?? '', /error="insufficient_scope".* scope="meeting:read meeting:delete"/)

  // The client asks for both now; she clears one by a click.
  const change = { meetingId, occurrence: 'one', originalStart: dates[1], description: 'Bring numbers.' }
  const changing = program.call('change_meeting', change)
  await page.getByRole('checkbox').nth(1).waitFor()
  assert.equal((await checkboxesOf(page)).length, 2)
  await click(page, 'checkbox', 'Delete meetings that you created')
  await click(page, 'button', 'Allow')
  assert.equal((await changing).isError, false)
  assert.equal(program.tokens()?.scope, 'meeting:create meeting:read meeting:update')
  await assert.rejects(program.callOnce('cancel_meeting', cancel), { name: 'UnauthorizedError' })
  const { result: kept } = await program.callOnce('get_meeting', { meetingId })
  assert.deepEqual(
    startsOf(kept).map(([, , , utc]) => utc),
    dates,
  )

  // She takes all of it back.
  await list.page.goto('/meetings')
  await chooseInPersonMenu(list.page, 'Connected apps')
  const card = list.page.getByRole('region', { name: 'Calendar Assistant' })
  await card.getByText('Last used: now').waitFor()
  assert.deepEqual(await card.getByRole('listitem').allInnerTexts(), [
    'Create meetings on your behalf',
    'Read your meetings, including details and participants',
    'Update meetings that you created; if it may also join them: admit, mute and remove people, lock and end them',
  ])
  await click(list.page, 'button', 'Disconnect Calendar Assistant')
  await clickWhereSeen(list.page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }))
  await list.page.getByText('Calendar Assistant is disconnected.').waitFor()
  const before = program.sent.length
  const calling = program.call('list_meetings')
  await asks.waitFor()
  assert.deepEqual(
    program.sent.slice(before).map(({ path, status }) => `${path} ${status}`),
    ['/mcp 401', '/api/oauth2/v2/token 400'],
  )
  assert.equal(program.tokens(), undefined)

  // Connected again, it begins from the start: nothing is allowed already, and her meeting is still there.
  await page.getByRole('heading', { name: 'Calendar Assistant will be able to:', exact: true }).waitFor()
  assert.equal(await page.getByText('You have already allowed it to:').count(), 0)
  for (const box of await page.getByRole('checkbox').all()) await clickWhereSeen(box)
  await click(page, 'button', 'Allow')
  assert.equal((await calling).result.totalCount, 1)
  assert.equal(program.tokens()?.scope, 'meeting:read')
})

const checkboxesOf = (page: Page) => page.locator('label', { has: page.getByRole('checkbox') }).allInnerTexts()

type Dated = { start: { weekday: string; local: string; offset: string; utc: string } }
const startsOf = ({ dates }: { dates: Dated[] }) =>
  dates.map(({ start: { weekday, local, offset, utc } }) => [weekday, local, offset, utc])
