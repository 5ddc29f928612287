import assert from 'node:assert/strict'
import { afterEach, beforeEach } from 'node:test'
import type { Mail } from '../src/email/mail.ts'
import { type Person, signUp } from './people.ts'
import { createClock, startApp } from './start-app.ts'

type Options = Omit<NonNullable<Parameters<typeof startApp>[0]>, 'clock' | 'beside'> & {
  /** The time at which each test starts: ISO 8601. */
  start?: string
}

/**
 * Start one app for the tests of a file. Each test has its own people, finds the clock at `start`, and reads every email
 * that it causes; therefore it runs alone and in any order.
 */
export async function useApp({ start = '2029-12-03T09:00:00Z', ...options }: Options = {}) {
  const clock = createClock(start)
  clock.advance(-1_000)
  const app = await startApp({ ...options, clock })
  /** The administrator, whom all tests share. Hers is the first account, also among those of tests at the same time. */
  const olga = await signUp(app, 'Olga')
  clock.set(start)
  let test = 0
  let unread: Mail[] = []
  beforeEach(() => {
    test++
    clock.set(start)
  })
  afterEach(async () => {
    if (options.emails === 'dropped') return
    const left = [...unread, ...(await app.mails())]
    unread = []
    assert.deepEqual(
      left.map(({ to, subject }) => `${subject} to ${to}`),
      [],
      'emails that the test has not looked at',
    )
  })

  return {
    ...app,
    app,
    clock,
    olga,
    /** Sign people up for this test, each with an address of their own. */
    meet: <Names extends readonly string[]>(...names: Names) =>
      Promise.all(names.map((name) => signUp(app, name, `${name.toLowerCase()}.${test}@example.org`))) as Promise<{
        [At in keyof Names]: Person
      }>,
    /** An address of this test that has no account. */
    addressOf: (name: string) => `${name.toLowerCase()}.${test}@example.org`,
    /** Return the emails to a person or address since the last call, and keep those to others. */
    async mailsTo(person: Person | string): Promise<Mail[]> {
      const address = typeof person === 'string' ? person : person.email
      const mails = [...unread, ...(await app.mails())]
      unread = mails.filter(({ to }) => to !== address)
      return mails.filter(({ to }) => to === address)
    },
  }
}
