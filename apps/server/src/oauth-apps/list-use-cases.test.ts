import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useCases } from '@parley/contract'
import { sendRequest } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp()

test('lists the use cases to everyone, each with the code for submissions', async () => {
  const { status, body } = await sendRequest(app, 'GET', '/api/oauth2/use-cases')
  assert.equal(status, 200)
  assert.deepEqual(body.useCases[0], { code: 'scheduling', name: 'Scheduling and calendars' })
  assert.deepEqual(
    body.useCases.map(({ code }: { code: string }) => code),
    Object.keys(useCases),
  )
})
