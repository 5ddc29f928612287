import type { Random } from '../../platform/random.ts'
import { type AnonymousCookie, createAnonymousCookie } from './anonymous-cookie.ts'

/** What a guest without an account is known by, from one request to the next (rooms.md 1). */
export const createGuestCookie = (options: { baseUrl: string; random: Random }): AnonymousCookie =>
  createAnonymousCookie({ name: 'parley_guest', ...options })
