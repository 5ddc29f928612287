import { type AnonymousCookie, createAnonymousCookie } from '../../access/credentials/anonymous-cookie.ts'
import type { Random } from '../../platform/random.ts'

/** Create the cookie that binds the sign-in form to a browser without a session. */
export const createBrowserCookie = (baseUrl: string, random: Random): AnonymousCookie =>
  createAnonymousCookie({ name: 'parley_browser', baseUrl, random })
