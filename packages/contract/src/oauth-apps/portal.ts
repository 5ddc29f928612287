import { Type } from 'typebox'

/** The developers' portal, for people and for scripts with a personal token, never for an app. */
export const portal = { tag: 'Apps', access: 'apps:manage' } as const

/**
 * The portal's endpoints that a stolen token must not reach: secrets, and actions that take the app away from its
 * users.
 */
export const portalInPerson = { tag: 'Apps', access: 'session' } as const

export const appId = Type.Object({ appId: Type.String({ description: '`_id` of the app' }) })
