/**
 * What a program may do on a person's behalf. The sentences of the consent page are in the `scopes` of packages/texts.
 */
export const scopeNames = [
  'user:read',
  'meeting:create',
  'meeting:delete',
  'meeting:read',
  'meeting:update',
  'meeting:join',
] as const

export type Scope = (typeof scopeNames)[number]

export const isScope = (text: string): text is Scope => scopeNames.some((name) => name === text)

/** Whether a scope only reads. Every other scope changes something or acts on people. */
export const isReadOnly = (scope: Scope): boolean => scope.endsWith(':read')

/**
 * The scopes of personal tokens: those of apps, and `apps:manage`, which no app can register, request or be granted.
 * `apps:manage` is separate from the others, because a token that reads meetings must not manage its owner's apps.
 */
export const personalScopeNames = [...scopeNames, 'apps:manage'] as const

export type PersonalScope = (typeof personalScopeNames)[number]

export const isPersonalScope = (text: string): text is PersonalScope => personalScopeNames.some((name) => name === text)
