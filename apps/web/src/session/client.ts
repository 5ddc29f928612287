import { connect } from '@parley/client'

/** The pages call their own origin with the browser's cookie. */
export const client = connect({ base: '' })
