import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { schedule, signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'

/** Let the browser generate an image of this type. */
const imageIn = async (page: Page, type: string): Promise<Buffer> => {
  const address = await page.evaluate((wanted) => {
    const canvas = document.createElement('canvas')
    canvas.width = 1200
    canvas.height = 300
    const context = canvas.getContext('2d')
    if (context !== null) {
      context.fillStyle = 'crimson'
      context.fillRect(20, 20, 900, 260)
    }
    return canvas.toDataURL(wanted)
  }, type)
  return Buffer.from(address.split(',')[1] ?? '', 'base64')
}

const accentOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--parley-accent').trim())

test('Olga gives her organisation a name, a colour and a logo, and every page has them', async () => {
  const { app, openPage } = await startStory()
  const olga = await signUp(app, 'Olga')
  const { page } = await openPage({ person: olga })
  await page.goto('/administration/organisation')
  await page.getByLabel('Name', { exact: true }).fill('Globex Industries')
  await page.getByLabel('Accent colour', { exact: true }).fill('#f59e0b')
  await page.getByText('Light pages use a darker shade').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Name and colour are saved.').waitFor()
  await page.waitForFunction(() => document.title === 'Organisation – Globex Industries')
  assert.ok(await page.getByRole('button', { name: 'Save changes' }).isDisabled())

  const [light] = await page.locator('input[type=file]').all()
  assert.ok(light !== undefined)
  const upload = (name: string, mimeType: string, buffer: Buffer) => light.setInputFiles({ name, mimeType, buffer })
  await upload('logo.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await page.getByText('An SVG can hold programs and is not accepted.').waitFor()
  await upload('logo.png', 'image/png', Buffer.from('no image'))
  await page.getByText('The browser can’t read this file as an image.').waitFor()
  await upload('logo.jpg', 'image/jpeg', await imageIn(page, 'image/jpeg'))
  await page.getByText('The logo is saved.').waitFor()
  const logo = page.getByRole('banner').locator('img')
  await logo.waitFor()
  // The page scales it down, and generates the pixels anew.
  assert.deepEqual(
    await logo.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]),
    [480, 120],
  )
  await checkPage(page, 'organisation')

  await page.getByRole('button', { name: 'Remove: For light pages' }).click()
  await page.getByText('The logo is removed.').waitFor()
  await logo.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await logo.waitFor()

  const { page: visitor } = await openPage()
  await visitor.goto('/sign-in')
  await visitor.getByRole('banner').getByText('Globex Industries').waitFor()
  await visitor.getByRole('banner').locator('img').waitFor()
  const accent = await accentOf(visitor)
  assert.match(accent, /^#[\da-f]{6}$/)
  assert.notEqual(accent, '#14655a')
  await checkPage(visitor, 'organisation-sign-in')

  const { svcMeetId, pin } = await schedule(olga, standUp({ participants: [] }))
  await visitor.goto(`/j/${svcMeetId}#pin=${pin}`)
  await visitor.getByRole('heading', { name: 'Stand-up' }).waitFor()
  await visitor.getByRole('banner').getByText('Globex Industries').waitFor()
  assert.equal(await accentOf(visitor), accent)
  await checkPage(visitor, 'organisation-join')
})

test('a name that another administrator has set meanwhile stays when Olga saves a colour', async () => {
  const { app, openPage } = await startStory()
  const olga = await signUp(app, 'Olga')
  const { page } = await openPage({ person: olga })
  await page.goto('/administration/organisation')
  await page.getByLabel('Name', { exact: true }).waitFor()
  await expectOk(olga.send('PUT', '/api/admin/organisation', { name: 'Globex' }))
  // The answer to the upload has the new name.
  const [light] = await page.locator('input[type=file]').all()
  await light?.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await imageIn(page, 'image/png') })
  await page.getByText('The logo is saved.').waitFor()
  await page.getByLabel('Accent colour', { exact: true }).fill('#a21caf')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Name and colour are saved.').waitFor()
  const { name, colour } = await expectOk(olga.send('GET', '/api/admin/organisation'))
  assert.deepEqual([name, colour], ['Globex', '#a21caf'])
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Globex')
})
