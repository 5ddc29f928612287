import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, done, meetDevelopers, refused, submit } from '../../../test/oauth/apps.ts'
import { startApp } from '../../../test/start-app.ts'
import { secureRandom } from '../../platform/random.ts'
import { recordAppEvent } from './app-event-store.ts'

const app = await startApp({ emails: 'dropped' })
const { dan } = await meetDevelopers(app)

test('lists events newest first, in pages', async () => {
  const mine = await submit(dan, { name: 'Eventful' })
  const { database } = app
  const event = { appId: mine._id, kind: 'token_refused', sandbox: true, requestId: 'r', random: secureRandom }
  for (let count = 1; count <= 5; count++) {
    await recordAppEvent(database, { ...event, cause: `Refusal ${count}`, now: new Date() })
  }
  const page = async (query: string) => {
    const body = await done(dan.send('GET', appPath(mine, `/events?${query}`)))
    return { ...body, causes: body.events.map(({ cause }: { cause: string }) => cause) }
  }
  const first = await page('limit=2')
  assert.deepEqual([first.causes, first.moreAvailable], [['Refusal 5', 'Refusal 4'], true])
  const { _id, createdOn, ...entry } = first.events[0]
  assert.deepEqual(entry, { kind: 'token_refused', cause: 'Refusal 5', sandbox: true, requestId: 'r' })
  const rest = await page(`limit=200&after=${first.nextCursor}`)
  const submitted = 'Revision 1 was submitted for review.'
  assert.deepEqual(rest.causes, ['Refusal 3', 'Refusal 2', 'Refusal 1', submitted])
  assert.deepEqual([rest.moreAvailable, rest.nextCursor], [false, null])
  await refused(dan.send('GET', appPath(mine, '/events?after=x')), 400, 'invalid_request')
})
