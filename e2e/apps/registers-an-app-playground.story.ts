import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, meetDevelopers, submit } from '../../apps/server/test/oauth/apps.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'
import { connectInPlayground } from './connect-in-playground.ts'

test('Dan uses the playground: each request is shown without its secrets', async () => {
  const { app, openPage } = await startStory()
  const { dan } = await meetDevelopers(app)
  const registered = await submit(dan)
  const { page, context } = await openPage({ person: dan, expected: /status of 401/ })
  const secret = await connectInPlayground({ page, context }, registered)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('"email": "dan@example.org"').waitFor()
  await checkPage(page, 'developers-playground')
  const shown = (await page.locator('main').textContent()) ?? ''
  assert.ok(!shown.includes(secret))
  assert.doesNotMatch(shown, /(oat|ort|oac)_\w{8}/)
  await page.getByLabel('Show secrets and tokens').check()
  assert.match((await page.locator('main').textContent()) ?? '', /oat_\w{8}/)
  await page.getByLabel('Show secrets and tokens').uncheck()

  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  const refreshed = page.getByRole('region', { name: '6. Refresh the tokens' })
  await refreshed.getByText('Answer: 200').waitFor()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByRole('region', { name: '7. Revoke' }).getByText('Answer: 200').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('region', { name: '4. Call the API' }).getByText('Answer: 401').waitFor()

  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]))
  assert.ok(!kept.includes(secret))

  // A reload loses the secret: another one takes its place, as often as wished.
  for (const _ of ['once', 'and again']) {
    await page.reload()
    await page.getByRole('button', { name: 'Make one for a day' }).click()
    await page.getByText('Made and filled in.').waitFor()
  }
  const { secrets } = await expectOk(dan.send('GET', appPath(registered, '/secrets')))
  assert.equal(secrets.length, 1)
  const { callbackUrls, liveRevision, status } = await expectOk(dan.send('GET', appPath(registered)))
  assert.deepEqual([callbackUrls, liveRevision, status], [registered.callbackUrls, null, 'under_review'])
  await page.goto(`/developers/${registered._id}`)
  await page.getByRole('tab', { name: 'Credentials' }).click()
  await page.getByText('Made by the Playground for a day.').waitFor()
  await checkPage(page, 'developers-credentials-playground')
})
