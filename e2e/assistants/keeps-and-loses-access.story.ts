import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeNames } from '@parley/contract'
import type { Page } from 'playwright-core'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { postForm, tokenPath } from '../../apps/server/test/oauth/token-client.ts'
import { meetPeople, type Person } from '../../apps/server/test/people.ts'
import { createClock } from '../../apps/server/test/start-app.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startStory } from '../start-story.ts'
import { startAssistantProgram } from './assistant-program.ts'

/* What happens to an assistant's access when pages are reloaded, several windows are open, and time passes. */

const hourMs = 3_600_000

async function startStoryWithAssistant() {
  const clock = createClock('2030-10-07T08:00:00Z')
  const story = await startStory({}, { clock })
  const { olga, alice } = await meetPeople(story.app)
  const { clientId } = await approvedApp(story.app, olga, {
    name: 'Assistant',
    clientType: 'native',
    callbackUrls: ['http://127.0.0.1/callback'],
    scopes: [...scopeNames],
  })
  const { page } = await story.openPage({ person: alice, expected: /status of 40[01]/ })
  const program = await startAssistantProgram({
    address: `${story.app.config.baseUrl}/mcp`,
    client: { clientId },
    page,
  })
  return { ...story, clock, alice, clientId, page, program }
}

async function click(page: Page, name: string) {
  const button = page.getByRole('button', { name, exact: true })
  await button.waitFor()
  await button.scrollIntoViewIfNeeded()
  await clickWhereSeen(button)
}

const asks = (page: Page) => page.getByRole('heading', { name: 'Allow Assistant to use your account?' })
const returned = (page: Page) => page.getByRole('heading', { name: 'You can close this page.' })

async function disconnect(page: Page) {
  await page.goto('/connected-apps')
  await click(page, 'Disconnect Assistant')
  await clickWhereSeen(page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }))
  await page.getByText('Assistant is disconnected.').waitFor()
}

const grantsOf = async (person: Person) =>
  (await person.send('GET', '/api/oauth2/grants')).body.grants.map(({ scopes }: { scopes: string[] }) => scopes)

test('Alice reloads the consent page, and goes back after she has answered', async () => {
  const { page, program, alice } = await startStoryWithAssistant()
  const connecting = program.connect()
  await asks(page).waitFor()
  await page.reload()
  await asks(page).waitFor()
  await page.goto('/meetings')
  await page.goBack()
  await asks(page).waitFor()
  await click(page, 'Allow')
  await connecting
  const tokens = program.tokens()

  // A second answer is a second code, for which the program does not wait.
  await page.goBack()
  await asks(page).waitFor()
  await click(page, 'Allow')
  await returned(page).waitFor()
  assert.equal((await program.callOnce('list_meetings')).isError, false)
  assert.equal(program.tokens(), tokens)
  assert.deepEqual(await grantsOf(alice), [['meeting:read']])

  // And Deny takes nothing back: that is done under Connected apps.
  await page.goBack()
  await click(page, 'Deny')
  await returned(page).waitFor()
  assert.equal((await program.callOnce('list_meetings')).isError, false)
})

test('in a second window Alice disconnects the assistant that asks for more in the first one', async () => {
  const { page, program, alice, openPage } = await startStoryWithAssistant()
  const connecting = program.connect()
  await click(page, 'Allow')
  await connecting
  const first = program.tokens()?.access_token ?? ''
  const cancelling = program.call('cancel_meeting', { meetingId: 'none', occurrence: 'all' })
  await page.getByRole('heading', { name: 'New: Assistant will also be able to:' }).waitFor()
  const { page: second } = await openPage({ person: alice })
  await disconnect(second)
  assert.deepEqual(await grantsOf(alice), [])

  // Deleting is what this page asks about; she clears it.
  const box = page.getByRole('checkbox', { name: 'Delete meetings that you created' })
  await clickWhereSeen(box)
  await click(page, 'Allow')
  await assert.rejects(cancelling, { name: 'UnauthorizedError' })
  assert.deepEqual(await grantsOf(alice), [['meeting:read']])
  assert.notEqual(program.tokens()?.access_token, first)
  assert.equal((await program.callOnce('list_meetings')).isError, false)
})

test('a window that is out of date disconnects what is connected now, or nothing', async () => {
  const { page, program, alice, openPage } = await startStoryWithAssistant()
  const connecting = program.connect()
  await click(page, 'Allow')
  await connecting
  const windows = await Promise.all(
    Array.from({ length: 3 }, () => openPage({ person: alice, expected: /status of 404/ })),
  )
  const [first, second, third] = windows.map((one) => one.page) as [Page, Page, Page]
  for (const each of [second, third]) {
    await each.goto('/connected-apps')
    await each.getByRole('button', { name: 'Disconnect Assistant' }).waitFor()
  }
  await disconnect(first)
  const calling = program.call('list_meetings')
  await click(page, 'Allow')
  await calling

  for (const each of [second, third]) {
    await click(each, 'Disconnect Assistant')
    await clickWhereSeen(each.getByRole('dialog').getByRole('button', { name: 'Disconnect' }))
    await each.getByText('Assistant is disconnected.').waitFor()
    await each.getByRole('heading', { name: 'No app is connected' }).waitFor()
    assert.deepEqual(await grantsOf(alice), [])
  }
  await assert.rejects(program.callOnce('list_meetings'), { name: 'UnauthorizedError' })
})

test('after an hour the assistant refreshes its access by itself; a stolen refresh token ends it', async () => {
  const { app, clock, page, program, clientId } = await startStoryWithAssistant()
  const connecting = program.connect()
  await click(page, 'Allow')
  await connecting
  const used: string[] = []
  for (let hour = 0; hour < 3; hour++) {
    used.push(program.tokens()?.refresh_token ?? '')
    clock.advance(hourMs - 1_000)
    assert.equal((await program.callOnce('list_meetings')).isError, false)
    assert.equal(program.tokens()?.refresh_token, used.at(-1))
    clock.advance(1_000)
    assert.equal((await program.callOnce('list_meetings')).isError, false)
    assert.notEqual(program.tokens()?.refresh_token, used.at(-1))
  }
  // Calls at the same time refresh each for itself.
  clock.advance(hourMs)
  const together = await Promise.all(Array.from({ length: 6 }, () => program.callOnce('list_meetings')))
  assert.ok(together.every(({ isError }) => !isError))
  clock.advance(hourMs)
  assert.equal((await program.callOnce('list_meetings')).isError, false)
  assert.equal(program.opened.length, 1)
  assert.equal(new Set(used).size, 3)

  const stolen = { grant_type: 'refresh_token', refresh_token: used.at(-1) ?? '', client_id: clientId }
  clock.advance(hourMs / 2)
  assert.equal((await postForm(app, tokenPath, stolen)).body.error, 'invalid_grant')
  const calling = program.call('list_meetings')
  await asks(page).waitFor()
  await click(page, 'Allow')
  assert.equal((await calling).isError, false)
  assert.equal(program.opened.length, 2)
})
