import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { decide, meetDevelopers, misleading, submit } from '../apps/server/test/oauth/apps.ts'
import { signUp, standUp } from '../apps/server/test/people.ts'
import { expectOk } from '../apps/server/test/replies.ts'
import type { TestApp } from '../apps/server/test/start-app.ts'
import { idleOf } from './idle-page.ts'
import { between, hourMs, scheduleQuietly } from './meetings/meetings.ts'
import { linkOf, startMedia, startRoomStory } from './rooms/start-room-story.ts'
import { startStory } from './start-story.ts'
import { keysOfTexts, speak, violationsOf } from './text-defects.ts'

const phone = { width: 360, height: 800 }

/** Create an account that has one of everything and may open every page. */
async function createOneOfEach(app: TestApp) {
  const { olga, dan } = await meetDevelopers(app)
  const meeting = await scheduleQuietly(
    olga,
    standUp({ ...between(hourMs, 2 * hourMs), repeatOptions: { repeat: 'daily', timeZone: 'Asia/Kolkata' } }),
  )
  const waiting = await submit(dan)
  const own = await submit(olga, { name: 'Olga’s planner' })
  const rejected = await submit(dan, { name: 'Another one' })
  await expectOk(decide(olga, rejected, 'rejected', misleading))
  await app.mails()
  const one = `/meetings/${meeting._id}`
  return {
    olga,
    waiting,
    publicPages: ['/sign-in', '/sign-up', '/reset-password', `/j/${meeting.svcMeetId}`],
    signedIn: [
      '/meetings',
      one,
      `${one}/edit`,
      '/meetings/new',
      '/calendar',
      '/calendar?view=month',
      '/calendar?view=week',
      '/settings/profile',
      '/settings/meetings',
      '/settings/notifications',
      '/settings/calendar',
      '/settings/security',
      '/settings/developer',
      '/connected-apps',
      '/developers',
      '/developers/new',
      `/developers/${own._id}`,
      `/developers/${own._id}?view=credentials`,
      `/developers/${own._id}/edit`,
      '/reviews',
      `/reviews/${waiting._id}`,
      '/administration/accounts',
      '/administration/apps',
      '/administration/audit-log',
      '/administration/webhooks',
      '/developers/webhooks',
    ],
  }
}

async function defectsOfPages(page: Page, addresses: readonly string[], keys: readonly string[]) {
  const defects: string[] = []
  const idle = idleOf(page)
  for (const address of addresses) {
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await idle()
    defects.push(...(await violationsOf(page, keys)).map((defect) => `${address}: ${defect}`))
  }
  return defects
}

test('texts that are a third longer fit on a phone, and no page shows a key', async () => {
  const { app, openPage } = await startStory()
  const { olga, publicPages, signedIn } = await createOneOfEach(app)
  const keys = await keysOfTexts()
  const guest = await openPage({ viewport: phone })
  await speak(guest.context, 'en-XA')
  const hers = await openPage({ person: olga, viewport: phone })
  await speak(hers.context, 'en-XA')
  const defects = [
    ...(await defectsOfPages(guest.page, publicPages, keys)),
    ...(await defectsOfPages(hers.page, signedIn, keys)),
  ]
  assert.deepEqual(defects, [])
  assert.equal(await hers.page.evaluate(() => document.documentElement.lang), 'en-XA')
})

test('no page is too wide for a phone in Arabic', async () => {
  const { app, openPage } = await startStory()
  const { olga, waiting, publicPages, signedIn } = await createOneOfEach(app)
  const guest = await openPage({ viewport: phone })
  await speak(guest.context, 'ar')
  const hers = await openPage({ person: olga, viewport: phone })
  await speak(hers.context, 'ar')
  const defects = [
    ...(await defectsOfPages(guest.page, publicPages, [])),
    ...(await defectsOfPages(hers.page, signedIn, [])),
  ]
  await hers.page.goto(`/reviews/${waiting._id}`)
  await hers.page.getByRole('button', { name: 'رفض', exact: true }).click()
  await hers.page.getByRole('dialog').getByRole('textbox').fill('سبب طويل '.repeat(40))
  defects.push(...(await violationsOf(hers.page, [])).map((defect) => `the dialog of a refusal: ${defect}`))
  assert.deepEqual(defects, [])
  assert.equal(await hers.page.evaluate(() => document.documentElement.dir), 'rtl')
})

for (const language of ['en-XA', 'ar']) {
  test(`a room fits on a phone in ${language}: the lobby, the panels, the dialogs, and the waiting people`, async () => {
    const story = await startRoomStory()
    const keys = await keysOfTexts()
    const alice = await signUp(story.app, 'Alice')
    await startMedia(story, alice)
    const meeting = await story.startMeeting(alice, { waitingRoom: true })
    const { page, context } = await story.openPage({ person: alice, viewport: phone })
    const guest = await story.openPage({ viewport: phone })
    const defects: string[] = []
    const inspect = async (where: string, one = page) =>
      defects.push(...(await violationsOf(one, keys)).map((defect) => `${where}: ${defect}`))
    await Promise.all([speak(context, language), speak(guest.context, language)])

    await page.goto(linkOf(meeting))
    const join = (one: Page) => one.locator('button[type=submit]')
    await join(page).waitFor()
    await inspect('lobby')
    await join(page).click()
    await page.locator('li[data-source=camera]').waitFor()
    await guest.page.goto(linkOf(meeting))
    await guest.page.locator('main input').first().fill('Gita')
    await join(guest.page).click()
    await page.locator('section').getByText('Gita').waitFor()
    await inspect('somebody waits')
    await inspect('waiting', guest.page)
    for (const [key, panel] of [
      ['p', 'aside'],
      ['c', 'aside'],
      ['i', '[role=dialog]'],
      ['d', '[role=dialog]'],
    ] as const) {
      await page.keyboard.press(key)
      await page.locator(panel).last().waitFor()
      await inspect(key)
      await page.keyboard.press('Escape')
      await page.locator(panel).waitFor({ state: 'detached' })
    }
    assert.deepEqual(defects, [])
  })
}
