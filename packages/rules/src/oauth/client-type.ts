/**
 * The kind of an app as a client (RFC 6749, 2.1). A `confidential` one runs on a server and keeps a secret; a `native`
 * one runs on a person's device, a `single_page` one in the browser. The latter two are public: whatever they hold, their
 * users can read.
 */
export type ClientType = 'confidential' | 'native' | 'single_page'

/** Whether such clients have no secret: they authenticate with `none`, and must use PKCE (RFC 9700, 2.1.1). */
export const isPublic = (clientType: ClientType): boolean => clientType !== 'confidential'
