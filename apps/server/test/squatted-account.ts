import { secureRandom } from '../src/platform/random.ts'
import { findPermittedParticipants } from '../src/rooms/admission/permitted-participants.ts'
import { approvedApp, callbackUrl } from './oauth/approved-app.ts'
import { arrive, authorizeUrl } from './oauth/consenting-person.ts'
import { createPlainBrowser } from './oauth/plain-browser.ts'
import { backendOf, tokensFor } from './oauth/token-client.ts'
import { detailsPath, type Person, password, schedule, sendRequest, signUp, standUp } from './people.ts'
import { expectOk } from './replies.ts'
import { as, enter, enterAsGuest, type Room, roomPath } from './rooms/rooms.ts'
import type { SettableClock, TestApp } from './start-app.ts'

type TestPeople = { app: TestApp; clock: SettableClock; bob: Person; carol: Person }

/** The names of credentials that still give access. */
export type Held = Record<string, boolean>

/**
 * Mallory signs up with an address that is not hers, and obtains every credential that the account offers, because the
 * owner of the address may claim it later. `held` lists, at any instance, the credentials that still give access.
 */
export async function squatAccount({ app, clock, bob, carol }: TestPeople, name: string) {
  const mallory = await signUp(app, name)
  const accountId = mallory.profile._id
  const statusWith = async (on: TestApp, path: string, headers: Record<string, string>) => {
    const { status, body } = await fetch(`${on.base}${path}`, { headers })
    // A stream does not end by itself.
    await body?.cancel()
    return status
  }
  const status = (on: TestApp, path: string, authorization: string) => statusWith(on, path, { authorization })

  const script = (await mallory.send('POST', '/api/auth/tokens', { name: 'x', scopes: ['user:read'] })).body.token
  const feed = new URL((await mallory.send('POST', '/api/calendar/feed')).body.url).pathname
  await mallory.send('POST', '/api/webhooks', { url: 'https://mallory.example/' })
  await app.database
    .insertInto('passkey')
    .values({
      id: secureRandom.uuid(clock.now()),
      accountId,
      credentialId: secureRandom.bytes(16),
      publicKey: Buffer.alloc(1),
      counter: 0,
      transports: [],
      synced: false,
      name: 'Key',
      createdAt: clock.now(),
      lastUsedAt: null,
      suspectedAt: null,
    })
    .execute()
  await mallory.send('POST', '/api/oauth2/access', { reason: 'I would like to.' })

  const connected = await approvedApp(app, bob, { name: `Planner ${name}` })
  const tokens = await tokensFor(app, connected, mallory, { clock })
  const waiting = await approvedApp(app, bob, { name: `Rival ${name}` })
  const asked = { client_id: waiting.clientId, redirect_uri: callbackUrl, response_type: 'code' }
  const browser = createPlainBrowser(app)
  const consentPage = await arrive(browser, mallory, authorizeUrl(app, asked))

  const own = await approvedApp(app, mallory, { name: `Own ${name}` })
  const ofCarol = await tokensFor(app, own, carol, { clock })

  const hosted: Room = await schedule(mallory, standUp({ participants: [carol.email] }))
  const [{ roomKey, vpin }] = (await mallory.send('GET', detailsPath(hosted))).body
  const ghost = await enterAsGuest(app, hosted, 'Ghost', { hostKey: roomKey })
  const visited: Room = await schedule(bob, standUp({ participants: [mallory.email] }))
  const { admissionId = '' } = await enter(app, visited, as(mallory))
  await app.database.updateTable('admission').set({ enteredAt: clock.now() }).where('id', '=', admissionId).execute()

  const rolesOf = async (on: TestApp, hostKey: string) =>
    (await enterAsGuest(on, hosted, 'Somebody', { hostKey })).reply.role
  const count = async (table: 'passkey' | 'oauthAccessRequest') =>
    (await app.database.selectFrom(table).select('accountId').where('accountId', '=', accountId).execute()).length
  const activeWebhooks = () =>
    app.database
      .selectFrom('webhook')
      .select('id')
      .where('accountId', '=', accountId)
      .where('disabledAt', 'is', null)
      .execute()
  const liveGrants = () =>
    app.database
      .selectFrom('appGrant')
      .select('id')
      .where('accountId', '=', accountId)
      .where('revokedAt', 'is', null)
      .execute()

  async function held(on: TestApp): Promise<Held> {
    return {
      session: (await status(on, '/api/my_profile', mallory.token)) === 200,
      'personal token': (await status(on, '/api/my_profile', script)) === 200,
      passkey: (await count('passkey')) > 0,
      'calendar address': (await status(on, feed, '')) === 200,
      webhook: (await activeWebhooks()).length > 0,
      'request for OAuth': (await count('oauthAccessRequest')) > 0,
      'token of an app': (await status(on, '/api/user/profile', `Bearer ${tokens.access_token}`)) === 200,
      consent: (await liveGrants()).length > 0,
      'host’s key': (await rolesOf(on, roomKey)) === 'host',
      'host’s PIN': (await rolesOf(on, vpin)) === 'host',
      'host by the key': (await statusWith(on, roomPath(hosted, 'waiting'), ghost.headers)) === 200,
      'place in a room':
        (await findPermittedParticipants(on, visited._id, [admissionId], clock.now()))?.has(admissionId) === true,
      password: (await signInStatus(on, mallory.email, password)) === 200,
    }
  }

  return {
    mallory,
    hosted,
    visited,
    admissionId,
    held,
    /** Credentials that a check would use up. */
    async heldToTheEnd(on: TestApp): Promise<Held> {
      const answer = await browser.submit(consentPage, { decision: 'allow' })
      return {
        'refresh token of an app': (await backendOf(on, connected).refresh(tokens.refresh_token)).status === 200,
        'consent page': answer.location?.includes('code=') === true,
      }
    },
    /** The account's data, whose owner does not matter. */
    async belongings() {
      const { code, pin } = await pinOf(app, hosted)
      const account = app.database.selectFrom('account').where('id', '=', accountId)
      const kept = await account.select(['name', 'oauthEnabled', 'roomCode', 'administrator']).executeTakeFirstOrThrow()
      const secretWorks = (await backendOf(app, own).introspect('x')).status === 200
      const othersAreServed = (await status(app, '/api/user/profile', `Bearer ${ofCarol.access_token}`)) === 200
      return { code, pin, ...kept, secretWorks, othersAreServed }
    },
  }
}

const signInStatus = async (on: TestApp, email: string, typed: string) =>
  (await sendRequest(on, 'POST', '/api/auth/sign-in', { email, password: typed })).status

/** The code and the PIN of a meeting, as its invited people have them. */
async function pinOf(app: TestApp, { _id, svcMeetId, pin }: Room) {
  const entered = await expectOk(sendRequest(app, 'POST', `/api/rooms/${svcMeetId}/enter`, { pin, name: 'Guest' }))
  const row = await app.database.selectFrom('meeting').select('code').where('id', '=', _id).executeTakeFirstOrThrow()
  return { code: row.code, pin: entered.state === 'admitted' }
}

export const allOf = (held: Held, works: boolean): Held =>
  Object.fromEntries(Object.keys(held).map((name) => [name, works]))
