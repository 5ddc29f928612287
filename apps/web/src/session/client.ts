import { type ConnectOptions, connect } from '@parley/client'

/**
 * The pages call their own origin with the browser's cookie. The page of an embedded meeting changes this: it has a token
 * of its own, and sends no cookie.
 */
export const connection: ConnectOptions = { base: '' }
export const client = connect(connection)
