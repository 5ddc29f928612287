import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secureRandom } from '../platform/random.ts'
import { createPasswordHasher } from './password-hasher.ts'

const passwords = createPasswordHasher(secureRandom)

test('a password is right against its own hash alone', async () => {
  const phc = await passwords.hash('correct horse')
  assert.match(phc, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.deepEqual(await passwords.verify('correct horse', phc), { right: true, outdated: false })
  assert.deepEqual(await passwords.verify('Correct horse', phc), { right: false, outdated: false })
})

test('two people with one password have two hashes', async () => {
  assert.notEqual(await passwords.hash('correct horse'), await passwords.hash('correct horse'))
})

test('a password typed on another keyboard is the same', async () => {
  const phc = await passwords.hash('Zu\u0308rich-2030')
  assert.equal((await passwords.verify('Z\u00fcrich-2030', phc)).right, true)
})

test('nothing is right where there is no hash, and it is compared all the same', async () => {
  assert.deepEqual(await passwords.verify('correct horse', undefined), { right: false, outdated: false })
})

test('a megabyte is refused without being hashed', async () => {
  const phc = await passwords.hash('correct horse')
  assert.equal((await passwords.verify('a'.repeat(1_000_000), phc)).right, false)
})

test('a hash that another implementation made is read, and a cheaper one is outdated', async () => {
  // The vector `argon2id, m=256, t=2` of the reference implementation's test.c (password, somesalt).
  const phc = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  assert.deepEqual(await passwords.verify('password', phc), { right: true, outdated: true })
  assert.deepEqual(await passwords.verify('passwore', phc), { right: false, outdated: true })
})

test('what is no hash is an error, not a wrong password', async () => {
  await assert.rejects(passwords.verify('correct horse', '$2b$10$abcdefghijklmnopqrstuv'))
})
