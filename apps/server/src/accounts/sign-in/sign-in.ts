import { signIn } from '@parley/contract'
import type { AccountsService } from '../accounts-service.ts'
import { signInWithPassword } from './sign-in-with-password.ts'

export function serveSignIn(service: AccountsService) {
  const { serve, clock, sessionCookie } = service
  serve(signIn, {
    handle: async ({ body, request, answer, database }) => {
      const { email, password } = body
      const session = await signInWithPassword(database, service, { email, password, request, now: clock.now() })
      answer.header('set-cookie', sessionCookie.set(session.token))
      return session
    },
  })
}
