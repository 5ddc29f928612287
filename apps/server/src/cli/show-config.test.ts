import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { runParley } from '../../test/processes/run-parley.ts'
import { readConfig } from '../platform/config/config.ts'
import { configLines } from './show-config.ts'

test('config shows every variable, and of a secret only that it is set', async (t) => {
  const secrets = {
    SECRET_KEY: '0f'.repeat(32),
    DATABASE_URL: 'postgres://parley:hush@db/parley',
    SMTP_URL: 'smtp://parley:hush@mail',
    MAIL_FROM: 'parley@example.org',
    OIDC_ISSUER: 'https://login.example.org',
    OIDC_CLIENT_ID: 'parley',
    OIDC_CLIENT_SECRET: 'hush',
    LIVEKIT_URL: 'wss://livekit.example.org',
    LIVEKIT_API_KEY: 'parley',
    LIVEKIT_API_SECRET: 'hush',
    TURN_URLS: 'turn:turn.example.org',
    TURN_SECRET: 'hush',
  }
  const { code, output } = await runParley(t, { ...secrets, TENANTS: 'acme.com=Acme', PORT: '4000' }, 'config')
  assert.equal(code, 0)
  assert.ok(!output.includes('hush') && !output.includes(secrets.SECRET_KEY))
  assert.match(output, /^PORT=4000$/m)
  assert.match(output, /^TENANTS=acme\.com=Acme$/m)
  assert.match(output, /^OIDC_CLIENT_SECRET=\(set, not shown\)$/m)
  const read = readConfig({})
  assert.ok(read.kind === 'read')
  const example = parseEnv(await readFile(fileURLToPath(new URL('../../../../.env.example', import.meta.url)), 'utf8'))
  const shown = configLines(read.config).map((line) => line.slice(0, line.indexOf('=')))
  assert.deepEqual(shown.toSorted(), Object.keys(example).toSorted())

  const wrong = await runParley(t, { PORT: 'x', SIGN_UP: 'maybe' }, 'config')
  assert.deepEqual([wrong.code, wrong.output.split('\n').length], [1, 3], wrong.output)
})
