import { type AnonymousCookie, createAnonymousCookie } from '../../access/credentials/anonymous-cookie.ts'
import type { Random } from '../../platform/random.ts'

/** What tells one browser from another before anybody has signed in there, so that a form can be bound to it. */
export const createBrowserCookie = (baseUrl: string, random: Random): AnonymousCookie =>
  createAnonymousCookie({ name: 'parley_browser', baseUrl, random })
