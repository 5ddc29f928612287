import { type Person, sendRequest } from '../people.ts'
import { expectOk } from '../replies.ts'
import type { TestApp } from '../start-app.ts'

export const webhooksPath = '/api/webhooks'
export const webhookPath = ({ _id }: { _id: string }, rest = '') => `${webhooksPath}/${_id}${rest}`
export const receiverUrl = 'https://planner.example.com/parley'

/** Sends requests with a token. */
export type Sender = Pick<Person, 'send'>

/** The sender of a script or an app. */
export const withToken = (app: TestApp, token: string): Sender => ({
  send: (method, path, body, headers) =>
    sendRequest(app, method, path, body, { authorization: `Bearer ${token}`, ...headers }),
})

/** The sender of a person's script. */
export async function scriptOf(app: TestApp, person: Person, scopes: readonly string[]): Promise<Sender> {
  const { token } = await expectOk(person.send('POST', '/api/auth/tokens', { name: 'script', scopes }), 201)
  return withToken(app, token)
}

/** Create a webhook, which must succeed. */
export const createWebhook = (sender: Sender, changes: object = {}) =>
  expectOk(sender.send('POST', webhooksPath, { url: receiverUrl, ...changes }), 201)

/** The ids of the webhooks that a sender lists. */
export async function listedBy(sender: Sender, query = ''): Promise<string[]> {
  const { webhooks } = await expectOk(sender.send('GET', webhooksPath + query))
  return webhooks.map(({ _id }: { _id: string }) => _id)
}
