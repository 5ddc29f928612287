import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

type Zone = { code: string; timeZone: string; settledAgainst: string }
const app = await startApp({ environment: { TZ_ALIASES: 'IST=Asia/Jerusalem,HQ=Europe/Berlin' } })
const { status, body } = await sendRequest(app, 'GET', '/api/time-zones')
const timeZones: Zone[] = body.timeZones
const find = (sought: string) => timeZones.filter(({ code }) => code === sought)

test('lists the codes to everyone in order, each once, with alternative meanings as well', () => {
  assert.equal(status, 200)
  const codes = timeZones.map(({ code }) => code)
  assert.deepEqual(codes, [...new Set(codes)])
  assert.deepEqual(
    codes,
    codes.toSorted((one, other) => one.localeCompare(other, 'en')),
  )
  const [bst] = find('BST')
  assert.equal(bst?.timeZone, 'Europe/London')
  assert.notEqual(bst?.settledAgainst, '')
})

test("lists the operator's codes before the built-in ones", () => {
  assert.deepEqual(find('IST'), [{ code: 'IST', timeZone: 'Asia/Jerusalem', settledAgainst: '' }])
  assert.deepEqual(find('HQ'), [{ code: 'HQ', timeZone: 'Europe/Berlin', settledAgainst: '' }])
})
