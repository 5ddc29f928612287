import { type Client, connect } from '@parley/client'
import { requestOauthAccess, signUp, updateAccount } from '@parley/contract'

export type DemoPerson = { email: string; userId: string; client: Client }

/** The accounts of the demo and their roles; the first one is the administrator. */
export const roles = {
  olga: 'administrator',
  rita: 'reviewer',
  alice: 'hosts meetings',
  bob: 'is invited, and hosts one himself',
  carol: 'waits for OAuth',
  dan: 'develops apps',
} as const
export type DemoName = keyof typeof roles
export type DemoPeople = Record<DemoName, DemoPerson>

export const emailOf = (name: string) => `${name}@example.org`

export async function makePeople(base: string, password: string, setUpCode: string | undefined): Promise<DemoPeople> {
  const join = async (name: DemoName, lname: string, timeZone: string): Promise<DemoPerson> => {
    const email = emailOf(name)
    const firstName = name.charAt(0).toUpperCase() + name.slice(1)
    const body = { email, password, name: firstName, lname, timeZone, ...(setUpCode && { setUpCode }) }
    const { token, user } = await connect({ base }).call(signUp, { body })
    if (token === undefined) throw new Error('The demo needs EMAIL_VERIFICATION=off')
    return { email, userId: user._id, client: connect({ base, token }) }
  }
  const people = {
    olga: await join('olga', 'Petrova', 'Europe/Berlin'),
    rita: await join('rita', 'Silva', 'Europe/London'),
    alice: await join('alice', 'Baker', 'Europe/London'),
    bob: await join('bob', 'Kumar', 'IST'),
    carol: await join('carol', 'Chen', 'America/New_York'),
    dan: await join('dan', 'Novak', 'Europe/Berlin'),
  }
  const { olga, rita, carol, dan } = people
  await olga.client.call(updateAccount, { params: { userId: rita.userId }, body: { reviewer: true } })
  await olga.client.call(updateAccount, { params: { userId: dan.userId }, body: { oauthEnabled: true } })
  const reason = 'I would like to show our team’s meetings on the office display.'
  await carol.client.call(requestOauthAccess, { body: { reason } })
  return people
}
