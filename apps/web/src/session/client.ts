import { connect } from '@parley/client'

/** Our own pages call their own origin, with the browser's cookie. */
export const client = connect({ base: '' })
