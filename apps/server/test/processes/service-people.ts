import { expectAnswer } from '../one-connection.ts'
import { password, standUp } from '../people.ts'

export type ServicePerson = {
  email: string
  token: string
  userId: string
  /** Schedules a meeting that must be taken. */
  schedule(meeting?: object): Promise<{ _id: string; svcMeetId: string }>
}

/** Somebody signs up at a service that runs as a process of its own; the first from elsewhere needs the set-up code. */
export async function signUp(base: string, name: string, setUpCode?: string): Promise<ServicePerson> {
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
