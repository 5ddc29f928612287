import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { meetPeople } from '../../apps/server/test/people.ts'
import { checkPage } from '../check-page.ts'
import { startStory } from '../start-story.ts'

const refused = /the server responded with a status of 400/

test('Alice edits her profile: each setting is saved when she leaves it, and can be undone', async () => {
  const { app, openPage } = await startStory()
  const { alice } = await meetPeople(app)
  const { page } = await openPage({ person: alice, expected: refused })
  const profile = async () => (await alice.send('GET', '/api/my_profile')).body
  // The former address of the page.
  await page.goto('/profile')
  await page.getByRole('heading', { name: 'Settings: Profile', level: 1 }).waitFor()
  assert.match(await page.title(), /^Profile – Settings – /)
  const about = page.getByRole('region', { name: 'About you' })
  await about.getByLabel('First name').fill('')
  await about.getByLabel('Phone number').fill('0800-CALL')
  // The service refuses a value that the page accepts, and the field shows the error.
  await about.getByLabel('Department').fill('d'.repeat(101))
  await about.getByLabel('Location').focus()
  await about.getByText('This is required.').waitFor()
  await about.getByText('Use digits, spaces and + - ( ) only.').waitFor()
  await about.getByText('This is too long.').waitFor()
  await checkPage(page, 'profile-refused')
  assert.deepEqual(await profile().then(({ name, phoneNo, department }) => [name, phoneNo, department]), [
    'Alice',
    '',
    '',
  ])
  await about.getByLabel('Phone number').fill('+44 20 7946 0958')
  await about.getByLabel('Department').fill('Logic')
  await about.getByLabel('Department').press('Enter')
  await page.getByText('Saved: Department.').waitFor()
  await about.getByLabel('First name').fill('Alicia')
  await about.getByLabel('Location').focus()
  await page.getByText('Saved: First name.').waitFor()
  await page.getByText('Alicia Test').first().waitFor({ state: 'attached' })
  assert.deepEqual([(await profile()).name, (await profile()).department], ['Alicia', 'Logic'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('It’s as it was before.').waitFor()
  assert.equal(await about.getByLabel('First name').inputValue(), 'Alice')
  assert.equal((await profile()).name, 'Alice')

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Meetings' }).click()
  await page.getByRole('heading', { name: 'Settings: Meetings', level: 1 }).waitFor()
  await checkPage(page, 'settings-meetings')
  await page.getByRole('switch', { name: 'Camera off' }).click()
  await page.getByText('Saved: Camera off.').waitFor()
  assert.equal(await page.getByText('It’s as it was before.').count(), 0, 'one toast takes the place of the other')
  assert.equal((await profile()).videoOff, true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('switch', { name: 'Camera off', checked: false }).waitFor()
  assert.equal((await profile()).videoOff, false)
  await page.goto('/settings/notifications')
  await page.getByRole('switch', { name: 'Daily summary of answers' }).waitFor()
  await checkPage(page, 'settings-notifications')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Profile' }).click()

  await choosesAPhoto(page)
  await page.locator('label', { hasText: 'Picture 5' }).click()
  await page.getByRole('radio', { name: 'Picture 5', checked: true }).waitFor()
  await page.getByRole('switch', { name: 'Privacy' }).click()
  await page.getByRole('switch', { name: 'Privacy', checked: true }).waitFor()
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await zone.click()
  await zone.fill('kolkata')
  await page
    .getByRole('option', { name: /Asia\/Kolkata/ })
    .first()
    .click()
  await page.getByLabel('Language of emails to you').selectOption('hi')
  // Four changes share one toast, which shows the last.
  await page.getByText('Saved: Language of emails to you.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 1)
  const { avatar, schoolData, timeZone, language } = await profile()
  assert.deepEqual({ avatar, privacy: schoolData.tnc_privacy, language }, { avatar: 4, privacy: true, language: 'hi' })
  assert.match(timeZone, /Kolkata|IST/)
  await checkPage(page, 'profile')

  // Hours and weeks change on every page at once, and come back with the session.
  await page.getByLabel('Time format').selectOption('h23')
  await page.getByLabel('First day of the week').selectOption('sat')
  await page.getByText('Saved: First day of the week.').waitFor()
  assert.deepEqual(await profile().then(({ hourCycle, firstDayOfWeek }) => [hourCycle, firstDayOfWeek]), ['h23', 'sat'])
  await page.goto('/calendar?view=week')
  await page.getByRole('columnheader', { name: /^Sat/ }).first().waitFor()
  const headers = await page.getByRole('columnheader').allInnerTexts()
  assert.match(headers.find((header) => /Sat|Sun|Mon/.test(header)) ?? '', /Sat/)
  await page.goto('/settings/profile')

  await page.getByLabel('Language of the pages').selectOption('ar')
  await page.getByRole('heading', { name: 'الإعدادات: الملف الشخصي', level: 1 }).waitFor()
  await checkPage(page, 'profile-ar')
})

/** Upload a picture that is wider than high, move and enlarge it by keyboard, save it, remove it, and undo that. */
async function choosesAPhoto(page: Page): Promise<void> {
  const file = page.locator('input[type=file]')
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no image') })
  await page.getByText('The browser can’t read this file as an image of at most 30 MB.').waitFor()
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await wideImage(page) })
  const dialog = page.getByRole('dialog', { name: 'Adjust the photo' })
  await dialog.waitFor()
  const shown = () =>
    dialog.getByRole('img', { name: 'Your photo' }).evaluate((canvas: HTMLCanvasElement) => {
      // A copy, because Chromium warns of a canvas that is read twice.
      const copy = new OffscreenCanvas(1, 1).getContext('2d')
      copy?.drawImage(canvas, 256, 256, 1, 1, 0, 0, 1, 1)
      return [...(copy?.getImageData(0, 0, 1, 1).data ?? [])]
    })
  assert.deepEqual(await shown(), [0, 128, 0, 255])
  for (let press = 0; press < 40; press++) await page.keyboard.press('ArrowRight')
  assert.deepEqual(await shown(), [0, 0, 255, 255])
  await checkPage(page, 'settings-photo')
  await dialog.getByRole('button', { name: 'Use this photo' }).click()
  await page.getByText('Your photo is saved.').waitFor()
  const own = page.getByRole('banner').locator('img[src^="/people/photos/"]')
  await own.waitFor()
  assert.deepEqual(
    await own.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]),
    [512, 512],
  )
  await checkPage(page, 'settings-with-photo')
  await page.getByRole('button', { name: 'Remove the photo' }).click()
  await page.getByText('Your photo is removed.').waitFor()
  await own.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await own.waitFor()
  await page.getByRole('button', { name: 'Remove the photo' }).click()
  await own.waitFor({ state: 'detached' })
}

/** Let the browser draw an image: green, with a blue end. */
async function wideImage(page: Page): Promise<Buffer> {
  const address = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 1200
    canvas.height = 400
    const context = canvas.getContext('2d')
    for (const [colour, from] of [
      ['green', 0],
      ['blue', 800],
    ] as const) {
      if (context === null) continue
      context.fillStyle = colour
      context.fillRect(from, 0, 1200, 400)
    }
    return canvas.toDataURL('image/png')
  })
  return Buffer.from(address.split(',')[1] ?? '', 'base64')
}
