import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { meetPeople, weekdays } from '../../apps/server/test/people.ts'
import { startStory } from '../start-story.ts'
import { scheduleQuietly } from './meetings.ts'

/** In points. */
const sheets = { A4: [842, 595], Letter: [792, 612] } as const

test('a month, a week and a day are one landscape sheet each, without navigation, also in dark mode', async () => {
  const { app, openPage } = await startStory({}, { emails: 'dropped' })
  const { alice } = await meetPeople(app)
  await scheduleQuietly(alice, weekdays({ topic: 'Stand-up', participants: [] }))
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 }, colorScheme: 'dark' })
  for (const view of ['month', 'week', 'day']) {
    await page.goto(`/calendar?view=${view}&date=2030-01-15`)
    await page
      .getByRole('link', { name: /Stand-up$/ })
      .first()
      .waitFor()
    for (const [format, size] of Object.entries(sheets)) {
      const pdf = (await page.pdf({ format, preferCSSPageSize: true })).toString('latin1')
      assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, 1, `${view} on ${format}`)
      const box = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf)
      assert.deepEqual([Number(box?.[1]), Number(box?.[2])].map(Math.floor), size, `${view} on ${format}`)
    }
    // Printing has ended, and the page is dark again.
    assert.equal(await page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
  }
  await page.emulateMedia({ media: 'print' })
  assert.deepEqual(await page.getByRole('navigation').all(), [])
  assert.equal(await page.getByRole('link', { name: 'Schedule a meeting' }).count(), 0)
})

test('the dates of a week are saved as a table, in German with the words of the calendar', async () => {
  const { app, openPage } = await startStory({}, { emails: 'dropped' })
  const { alice } = await meetPeople(app)
  await scheduleQuietly(alice, weekdays({ topic: 'Stand-up', participants: [] }))
  const { page } = await openPage({ person: alice, viewport: { width: 1440, height: 900 }, locale: 'de' })
  await page.goto('/calendar?view=week&date=2030-01-15')
  await page
    .getByRole('link', { name: /Stand-up$/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Weitere Kalenderoptionen' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Als Tabelle herunterladen (CSV)' }).click()
  const download = await downloading
  assert.equal(download.suggestedFilename(), 'Kalender 2030-01-14 2030-01-20.csv')
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  assert.equal(lines[0], '"Datum","Beginn","Ende","Thema","Rolle","Antwort","Besprechungs-ID"')
  assert.equal(lines.length, 6)
  assert.match(lines[1] ?? '', /^"2030-01-14","09:00","09:30","Stand-up","Leitung","","\d{10}"$/)
})
