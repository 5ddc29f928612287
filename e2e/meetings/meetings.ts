import type { Page } from 'playwright-core'
import { cancelPath, type Person, standUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Whole minutes, so that it can be compared with a time on a page. */
const inMs = (distanceMs: number) => new Date(Math.floor((Date.now() + distanceMs) / minuteMs) * minuteMs).toISOString()

/** The start and end times, given in milliseconds from now. */
export const between = (fromMs: number, toMs: number) => ({ startTime: inMs(fromMs), endTime: inMs(toMs) })

/** Schedule a meeting without mailing invitations; fails when it is refused. */
export async function scheduleQuietly(host: Person, meeting: object = standUp()) {
  const body = await expectOk(host.send('POST', '/api/meeting?sendUpdates=none', meeting))
  return body.meetingDetails
}

export async function cancelQuietly(host: Person, meeting: { _id: string }) {
  await expectOk(host.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'all' }))
}

/** Choose an entry of the menu at the head of a meeting's page. */
export async function chooseAction(page: Page, entry: string) {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

/** Open the page of the meeting whose date was clicked in the calendar. */
export const openMeetingOfDate = (page: Page) =>
  page.getByRole('dialog').getByRole('link', { name: 'All details' }).click()
