import { expectAnswer } from '../one-connection.ts'
import { password, standUp } from '../people.ts'
import { setUpCodeAt } from './run-service.ts'

export type ServicePerson = {
  email: string
  token: string
  userId: string
  /** Schedule a meeting, which must succeed. */
  schedule(meeting?: object): Promise<{ _id: string; svcMeetId: string }>
}

/** Sign a person up at a service that runs as its own process. The first person needs the set-up code that it prints. */
export async function signUp(base: string, name: string, setUpCode = setUpCodeAt(base)): Promise<ServicePerson> {
  const email = `${name.toLowerCase()}@example.org`
  const sent = { email, password, name, lname: 'Test', ...(setUpCode && { setUpCode }) }
  const { token, user } = (await expectAnswer(base, 201, 'POST', '/api/auth/sign-up', { body: sent })).body
  return {
    email,
    token,
    userId: user._id,
    async schedule(meeting = standUp()) {
      const { body } = await expectAnswer(base, 200, 'POST', '/api/meeting', { token, body: meeting })
      return body.meetingDetails
    },
  }
}
