import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { password, sendRequest, signUp } from '../../test/people.ts'
import { startApp, type TestApp } from '../../test/start-app.ts'
import { defaultPasswordCost } from './password-hasher.ts'

const signIn = (app: TestApp, email: string, address: string) =>
  sendRequest(app, 'POST', '/api/auth/sign-in', { email, password }, { 'x-forwarded-for': address })

test('a flood of right passwords delays no other person, in the same office or elsewhere', async () => {
  const environment = { TRUST_PROXY: '127.0.0.1', RATE_LIMITS: 'off' }
  // With the real cost: hashing takes longer than everything else that a request needs.
  const app = await startApp({ environment, passwordCost: defaultPasswordCost })
  for (const name of ['Mallory', 'Alice', 'Bob']) await signUp(app, name)
  let floods = true
  const statuses: number[] = []
  const flood = Array.from({ length: 150 }, async () => {
    while (floods) statuses.push((await signIn(app, 'mallory@example.org', '198.51.100.1')).status)
  })
  try {
    while (!statuses.includes(503)) await sleep(10)
    for (const [email, address] of [
      ['alice@example.org', '192.0.2.1'],
      ['bob@example.org', '198.51.100.1'],
    ] as const) {
      for (let at = 0; at < 3; at++) assert.equal((await signIn(app, email, address)).status, 200, email)
    }
  } finally {
    floods = false
    await Promise.all(flood)
  }
})
