import assert from 'node:assert/strict'
import type { Person } from './people.ts'
import { expectOk } from './replies.ts'
import { publicAddress } from './start-app.ts'

export const feedPath = '/api/calendar/feed'

/** Create an address for the person's calendar, and return its path. */
export async function createFeed(person: Person): Promise<string> {
  const body = await expectOk(person.send('POST', feedPath), 201)
  assert.match(body.url, new RegExp(`^${publicAddress}/calendar/cal_[0-9A-Za-z]{49}\\.ics$`))
  return body.url.slice(publicAddress.length)
}
