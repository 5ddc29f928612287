import { Type } from 'typebox'

/** What every endpoint of the developers' portal has: a person or their script calls it, never an app. */
export const portal = { tag: 'Apps', access: 'account' } as const

export const appId = Type.Object({ appId: Type.String() })
export const done = Type.Object({ status: Type.String() })
