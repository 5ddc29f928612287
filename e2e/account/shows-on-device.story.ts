import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { signUp } from '../../apps/server/test/people.ts'
import { createReceiver } from '../../apps/server/test/push-service.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { enterAsGuest } from '../../apps/server/test/rooms/rooms.ts'
import { checkPage } from '../check-page.ts'
import { clickWhereSeen } from '../real-input.ts'
import { startStory } from '../start-story.ts'

const { app, openPage } = await startStory()

const device = {
  viewport: { width: 1280, height: 1100 },
  // Contexts of a story are as private windows; and the second window notices the end of the session.
  expected: /Push API in incognito|status of 401/,
}

const shownIn = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ title, body, tag, lang }) => ({ title, body, tag, lang }))
  })

async function untilShown(page: Page, count: number) {
  for (;;) {
    const shown = await shownIn(page)
    if (shown.length >= count) return shown
    await page.waitForTimeout(100)
  }
}

/** Hand a message to the service worker, as the push service of the browser does. */
async function pushTo(context: BrowserContext, page: Page, message: object) {
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations
      if (registration !== undefined) resolve(registration.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data: JSON.stringify(message),
  })
  await session.detach()
}

test('Alice switches notifications on for this device, sees once who waits, and leaves nothing when she signs out', async () => {
  const alice = await signUp(app, 'Alice')
  const { page, context } = await openPage({ person: alice, ...device, permissions: ['notifications'] })
  let attempts = 0
  await context.exposeFunction('countAttempt', () => void attempts++)
  await context.addInitScript(() => {
    const { subscribe } = PushManager.prototype
    PushManager.prototype.subscribe = function (options) {
      Object(window).countAttempt()
      return subscribe.call(this, options)
    }
  })
  await page.goto('/settings/notifications')
  const toggle = page.getByRole('switch', { name: 'Also on this device' })
  await page.getByText('Your browser asks for your permission when you switch this on.').waitFor()
  await clickWhereSeen(toggle)
  // This browser has no push service.
  await page.getByText('On while Parley is open in this browser').waitFor()
  assert.equal(await toggle.isChecked(), true)
  await checkPage(page, 'device-notifications')
  const other = await context.newPage()
  await other.goto('/meetings')
  await other.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  // The stream of the pages, which begins again: what happens before it is not shown.
  const streamed = context.waitForEvent('response', (response) => response.url().includes('/api/user/events'))
  await page.reload()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await streamed

  const { svcMeetId, roomPIN: pin } = await expectOk(alice.send('GET', '/api/my_profile'))
  // Pages that are loaded soon after do not try again.
  await page.waitForTimeout(3_000)
  assert.equal(attempts, 1)
  await enterAsGuest(app, { _id: '', svcMeetId, pin }, 'Gita')
  const [shown] = await untilShown(page, 1)
  const [entry] = (await expectOk(alice.send('GET', '/api/user/notifications'))).notifications
  const gita = { title: 'Your personal room', body: 'Gita is waiting to be let in', tag: entry._id, lang: 'en' }
  assert.deepEqual(shown, gita)

  // What is pushed as well takes its place.
  const pushed = { ...gita, language: 'en', direction: 'ltr', path: `/j/${svcMeetId}`, body: 'Gita is still waiting' }
  await pushTo(context, page, pushed)
  await page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).some(({ body }) => body.includes('still'))
  })
  assert.equal((await shownIn(page)).length, 1)
  const startsAt = '2030-01-07T09:00:00.000Z'
  const plan = { title: 'Plan', body: 'Starts in 5 minutes', tag: 'plan', language: 'en', direction: 'ltr', path: '/' }
  await pushTo(context, page, { ...plan, startsAt })
  const bodies = (await untilShown(page, 2)).map(({ body }) => body)
  assert.ok(
    bodies.some((body) => /^Starts in 5 minutes · 9:00|^Starts in 5 minutes · 09:00/.test(body)),
    bodies.join(),
  )

  await clickWhereSeen(page.getByRole('button', { name: /Alice Test/ }).first())
  await clickWhereSeen(page.getByRole('menuitem', { name: 'Sign out' }))
  await page.waitForURL('**/sign-in')
  assert.deepEqual(await shownIn(page), [])
  assert.equal(await page.evaluate(() => localStorage.getItem('parley-device-notifications')), null)
})

test('Bob learns that his browser refuses, and takes notifications back where they are on', async () => {
  const bob = await signUp(app, 'Bob')
  const refusing = await openPage({ person: bob, ...device, permissions: [] })
  await refusing.page.goto('/settings/notifications')
  await refusing.page.getByRole('switch', { name: 'Also on this device' }).waitFor()
  const { page } = await openPage({ person: bob, ...device, permissions: ['notifications'], locale: 'de-DE' })
  await page.goto('/settings/notifications')
  const toggle = page.getByRole('switch', { name: 'Auch auf diesem Gerät' })
  await clickWhereSeen(toggle)
  await page.getByText('Ein, solange Parley in diesem Browser offen ist').waitFor()
  await clickWhereSeen(toggle)
  await page.getByText('Beim Einschalten fragt Ihr Browser um Erlaubnis.').waitFor()
  assert.equal(await page.evaluate(() => localStorage.getItem('parley-device-notifications')), null)
  const other = refusing.page
  await clickWhereSeen(other.getByRole('switch', { name: 'Also on this device' }))
  await other.getByText(/Your browser blocks notifications of Parley|You have not allowed notifications/).waitFor()
  assert.equal(await other.getByRole('switch', { name: 'Also on this device' }).isChecked(), false)
})

test('Carla changes the language of the pages, and is pushed in the new one', async () => {
  const carla = await signUp(app, 'Carla')
  const { keys } = await createReceiver()
  const { page, context } = await openPage({ person: carla, ...device, permissions: ['notifications'] })
  // The browser of the stories has no push service.
  await context.addInitScript((ofBrowser) => {
    const endpoint = 'https://push.example.net/carla'
    const subscription = { endpoint, toJSON: () => ({ endpoint, keys: ofBrowser }), unsubscribe: async () => true }
    Object.assign(PushManager.prototype, {
      subscribe: async () => subscription,
      getSubscription: async () => subscription,
    })
  }, keys)
  await page.goto('/settings/notifications')
  await clickWhereSeen(page.getByRole('switch', { name: 'Also on this device' }))
  await page.getByText('On, also while Parley is closed.').waitFor()
  const subscribed = app.database.selectFrom('pushSubscription').where('accountId', '=', carla.profile._id)
  const languages = async () => (await subscribed.select('language').execute()).map(({ language }) => language)
  assert.deepEqual(await languages(), ['en'])
  await page.goto('/settings/profile')
  // What the page does after it has loaded is over.
  await page.waitForTimeout(4_000)
  await page.getByLabel('Language of the pages').selectOption('de')
  await page.waitForTimeout(5_000)
  assert.deepEqual(await languages(), ['de'])
})
