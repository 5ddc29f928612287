import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secureRandom } from '../platform/random.ts'
import { createPasswordHasher } from './password-hasher.ts'

const passwords = createPasswordHasher(secureRandom)
const alice = { address: '192.0.2.1', addressKey: 'alice@example.org' }
const hash = (password: string) => passwords.hash(password, alice)
const verify = async (password: string, phc: string | undefined) => (await passwords.verify(password, [phc], alice))[0]

test('matches a password with its own hash only', async () => {
  const phc = await hash('correct horse')
  assert.match(phc, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.deepEqual(await verify('correct horse', phc), { right: true, outdated: false })
  assert.deepEqual(await verify('Correct horse', phc), { right: false, outdated: false })
})

test('gives two people with one password two hashes', async () => {
  assert.notEqual(await hash('correct horse'), await hash('correct horse'))
})

test('matches a password typed on another keyboard', async () => {
  const phc = await hash('Zu\u0308rich-2030')
  assert.equal((await verify('Z\u00fcrich-2030', phc))?.right, true)
})

test('matches nothing without a hash, and computes the comparison all the same', async () => {
  assert.deepEqual(await verify('correct horse', undefined), { right: false, outdated: false })
})

test('refuses a megabyte without hashing it', async () => {
  const phc = await hash('correct horse')
  assert.equal((await verify('a'.repeat(1_000_000), phc))?.right, false)
})

test('reads a hash of another implementation, and reports a cheaper one as outdated', async () => {
  // The vector `argon2id, m=256, t=2` of the reference implementation's test.c (password, somesalt).
  const phc = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  assert.deepEqual(await verify('password', phc), { right: true, outdated: true })
  assert.deepEqual(await verify('passwore', phc), { right: false, outdated: true })
})

test('throws for an invalid hash instead of reporting a wrong password', async () => {
  await assert.rejects(verify('correct horse', '$2b$10$abcdefghijklmnopqrstuv'))
})

test('compares a password with each of several hashes, in their order', async () => {
  const [one, other] = [await hash('correct horse'), await hash('battery staple')]
  const right = async (typed: string) =>
    (await passwords.verify(typed, [one, undefined, other], alice)).map((verification) => verification.right)
  assert.deepEqual(await right('correct horse'), [true, false, false])
  assert.deepEqual(await right('battery staple'), [false, false, true])
  assert.deepEqual(await right('x'.repeat(1_000_000)), [false, false, false])
})

test('a flood on one account delays neither its office nor its neighbours, however many networks send it', async () => {
  // Cheap parameters: the order matters here.
  const phc = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  for (const networkAt of [() => '198.51.100.1', (at: number) => `2001:db8:1:${at.toString(16)}::1`]) {
    const finished: string[] = []
    const ask = (name: string, address: string) =>
      passwords.verify('password', [phc], { address, addressKey: `${name}@example.org` }).then(
        () => void finished.push(name),
        () => void finished.push(`${name} refused`),
      )
    const flood = Array.from({ length: 200 }, (_, at) => ask('mallory', networkAt(at)))
    const bob = networkAt(0).includes(':') ? '2001:db8:2::1' : '198.51.100.1'
    await Promise.all([ask('bob', bob), ask('alice', '192.0.2.1')])
    // Two were being computed on arrival; then they have every second or third turn.
    const before = finished.filter((name) => name !== 'mallory refused')
    assert.ok(before.includes('bob') && before.includes('alice'), before.join(' '))
    assert.ok(before.length <= 8, before.join(' '))
    await Promise.all(flood)
    assert.equal(finished.filter((name) => name === 'mallory refused').length, 200 - 2 - 128 + 2)
  }
})

test('attempts to sign in to one account from many networks delay no attempt to another account', async () => {
  const order: string[] = []
  const running = new Set<PromiseWithResolvers<void>>()
  const attempt = (name: string, address: string) =>
    passwords
      .attempt({ address, addressKey: `${name}@example.org` }, async () => {
        order.push(name)
        const work = Promise.withResolvers<void>()
        running.add(work)
        await work.promise
      })
      .catch(() => order.push(`${name} refused`))
  const flood = Array.from({ length: 260 }, (_, at) => attempt('mallory', `198.18.${at >> 8}.${at & 255}`))
  const honest = attempt('alice', '192.0.2.1')
  const all = Promise.all([...flood, honest])
  let ended = false
  void all.then(() => {
    ended = true
  })
  while (!ended) {
    for (const work of running) {
      running.delete(work)
      work.resolve()
      await new Promise(setImmediate)
    }
    await new Promise(setImmediate)
  }
  const begun = order.filter((name) => !name.endsWith('refused'))
  // Four were in progress on arrival; then accounts and networks have every second turn.
  assert.ok(begun.indexOf('alice') >= 4 && begun.indexOf('alice') <= 6, begun.slice(0, 20).join(' '))
  assert.equal(begun.length, 4 + 96 + 1 - 1)
})
