import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findConnection, removeSession, saveSession } from './sessions.ts'

test('a renewal that ends after the person has signed out keeps no tokens, and one before keeps the new ones', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sessions-'))
  t.after(() => rm(folder, { recursive: true }))
  const env = { XDG_CONFIG_HOME: folder }
  let signsOut = false
  const service = createServer(async (_request, response) => {
    if (signsOut) await removeSession(env, undefined)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ access_token: 'new', refresh_token: 'newer', expires_in: 3600 }))
  }).listen(0, '127.0.0.1')
  t.after(() => service.close())
  await once(service, 'listening')
  const issuer = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  const endpoints = { authorizationEndpoint: issuer, tokenEndpoint: issuer, revocationEndpoint: issuer }
  const expired = { accessToken: 'old', refreshToken: 'older', expiresAt: 0 }
  const renew = async () => {
    await saveSession(env, { server: { issuer, clientId: issuer, ...endpoints }, ...expired })
    const { token } = await findConnection(env, issuer)
    assert.ok(typeof token === 'function')
    return token()
  }
  assert.equal(await renew(), 'new')
  signsOut = true
  await assert.rejects(renew(), /You are signed out/)
  await assert.rejects(findConnection(env, issuer), /Sign in first/)
})
