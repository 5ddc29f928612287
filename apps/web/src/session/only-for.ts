import type { Profile } from '@parley/contract'
import { notFound } from '@tanstack/react-router'

/**
 * For a route's `beforeLoad`: others are told what is told of an address where nothing is. The server decides; this only
 * spares them a page full of refusals. @throws TanStack Router's not-found
 */
export function onlyFor(person: Profile, role: 'reviewer' | 'administrator'): void {
  if (!person.roleIds.includes(role)) throw notFound()
}
