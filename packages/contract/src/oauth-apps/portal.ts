import { Type } from 'typebox'

/** The developers' portal: for a person, or a script of theirs that was made for it, never for an app. */
export const portal = { tag: 'Apps', access: 'apps:manage' } as const

/** Of the portal what a stolen token must not reach: secrets, and what takes the app away from its users. */
export const portalInPerson = { tag: 'Apps', access: 'session' } as const

export const appId = Type.Object({ appId: Type.String() })
export const done = Type.Object({ status: Type.String() })
