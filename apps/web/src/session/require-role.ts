import type { Profile } from '@parley/contract'
import { notFound } from '@tanstack/react-router'

/**
 * For a route's `beforeLoad`: show the not-found page to accounts without the role. The server enforces this; the check
 * avoids a page full of errors. @throws TanStack Router's not-found
 */
export function requireRole(person: Profile, role: 'reviewer' | 'administrator'): void {
  if (!person.roleIds.includes(role)) throw notFound()
}
