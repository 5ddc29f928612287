import assert from 'node:assert/strict'
import { type Person, sendRequest } from './people.ts'
import { expectOk } from './replies.ts'
import { type ResponseOverrides, SoftwareAuthenticator } from './software-authenticator.ts'
import type { TestApp } from './start-app.ts'

export const passkeysPath = '/api/auth/passkeys'
export const passkeySignInPath = '/api/auth/passkey-sign-in'

/** Operations with passkeys at one service. */
export function createPasskeyUse(app: TestApp) {
  async function optionsFor(person: Person) {
    const body = await expectOk(person.send('POST', `${passkeysPath}/options`, {}))
    return body.publicKey
  }

  /** Add a passkey, which must succeed, and take its email from the mailbox. */
  async function add(person: Person, authenticator = new SoftwareAuthenticator(), name = 'Laptop') {
    const credential = authenticator.create(await optionsFor(person))
    const body = await expectOk(person.send('POST', passkeysPath, { name, credential }), 201)
    const emails = (await app.mails()).filter(({ to }) => to === person.email)
    assert.deepEqual(
      emails.map(({ subject }) => subject),
      ['A passkey was added to your account'],
    )
    return { authenticator, passkey: body }
  }

  const challenge = async () => (await sendRequest(app, 'POST', `${passkeySignInPath}/options`, {})).body.publicKey

  const signIn = async (authenticator: SoftwareAuthenticator, said: ResponseOverrides = {}) =>
    sendRequest(app, 'POST', passkeySignInPath, { credential: authenticator.get(await challenge(), said) })

  const listOf = async (person: Person) => (await person.send('GET', passkeysPath)).body.passkeys

  return { optionsFor, add, challenge, signIn, listOf }
}
