import { type Person, signUp } from '../people.ts'
import { expectOk } from '../replies.ts'
import type { TestApp } from '../start-app.ts'

/** Acme's calendar, as its developer registers it. */
export const calendarApp = (changes: object = {}) => ({
  name: 'Acme Calendar',
  homepageUrl: 'https://acme.example/',
  policyUrl: 'https://acme.example/policy',
  logoUrl: 'https://acme.example/logo.png',
  useCase: 'scheduling',
  description: 'Plans your week',
  callbackUrls: ['https://acme.example/callback', 'https://acme.example/other'],
  scopes: ['user:read', 'meeting:read'],
  ...changes,
})

export const appPath = ({ _id }: { _id: string }, rest = '') => `/api/oauth2/apps/${_id}${rest}`
export const reviewPath = ({ _id }: { _id: string }) => `/api/oauth2/reviews/${_id}`

/** Olga is an administrator and reviewer, Rita a reviewer, Dan and Eve develop, Carol uses apps. */
export async function meetDevelopers(app: TestApp) {
  const olga = await signUp(app, 'Olga')
  const [rita, dan, eve, carol] = await Promise.all([
    signUp(app, 'Rita'),
    signUp(app, 'Dan'),
    signUp(app, 'Eve'),
    signUp(app, 'Carol'),
  ])
  await permit(olga, rita, { reviewer: true, oauthEnabled: true })
  await permit(olga, dan, { oauthEnabled: true })
  await permit(olga, eve, { oauthEnabled: true })
  return { olga, rita, dan, eve, carol }
}

export async function permit(administrator: Person, person: Person, rights: object) {
  await expectOk(administrator.send('PUT', `/api/admin/accounts/${person.profile._id}`, rights))
}

export const submit = (developer: Person, changes: object = {}) =>
  expectOk(developer.send('POST', '/api/oauth2/apps', calendarApp(changes)), 201)

export const decide = (reviewer: Person, app: { _id: string }, decision: string, reasons?: readonly object[]) =>
  reviewer.send('POST', reviewPath(app), { decision, ...(reasons && { reasons }) })

export const misleading = [{ code: 'misleading', field: 'name', text: 'It is not a calendar.' }]

/** Register an app and pass its review. */
export async function approvedApp(developer: Person, reviewer: Person, changes: object = {}) {
  const app = await submit(developer, changes)
  return expectOk(decide(reviewer, app, 'approved'))
}
