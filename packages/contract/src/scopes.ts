/** What a person lets a program do in their name; the sentences are the ones people read (service.md 5.4). */
export const scopes = {
  'user:read': 'Read your profile information',
  'meeting:create': 'Create meetings on your behalf',
  'meeting:delete': 'Delete meetings that you created',
  'meeting:read': 'Read your meetings, including details and participants',
  'meeting:update': 'Update meetings that you created',
  'meeting:join': 'Join meetings as you',
} as const

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as readonly Scope[]

export const isScope = (text: string): text is Scope => Object.hasOwn(scopes, text)
