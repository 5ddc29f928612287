/** What a scope lets a program do on a person's behalf, in the sentences of the consent page. */
export const scopes = {
  'user:read': 'Read your profile information',
  'meeting:create': 'Create meetings on your behalf',
  'meeting:delete': 'Delete meetings that you created',
  'meeting:read': 'Read your meetings, including details and participants',
  'meeting:update':
    'Update meetings that you created; if it may also join them: admit, mute and remove people, lock and end them',
  'meeting:join': 'Join meetings as you, and answer invitations to them',
} as const

export type Scope = keyof typeof scopes

export const scopeNames = Object.keys(scopes) as readonly Scope[]

export const isScope = (text: string): text is Scope => Object.hasOwn(scopes, text)

/** Whether a scope only reads; the others change something, or act on people. */
export const isReadOnly = (scope: Scope): boolean => scope.endsWith(':read')

/**
 * The scopes of personal tokens: those of apps, and `apps:manage`, which no app can register, request or be granted. It
 * is separate from the others, because a token that reads meetings must not manage its owner's apps.
 */
export const personalScopes = {
  ...scopes,
  'apps:manage': 'Register, change and submit your apps as their developer; never their secrets, and no deletion',
} as const

export type PersonalScope = keyof typeof personalScopes

export const personalScopeNames = Object.keys(personalScopes) as readonly PersonalScope[]

export const isPersonalScope = (text: string): text is PersonalScope => Object.hasOwn(personalScopes, text)
