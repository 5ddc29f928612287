export type FetchRefusal =
  | 'not_an_address'
  | 'not_http'
  | 'userinfo'
  | 'port'
  | 'denied_host'
  | 'no_such_name'
  | 'name_not_resolved'
  | 'private_address'
  | 'no_connection'
  | 'bad_certificate'
  | 'broken_answer'
  | 'encoded'
  | 'too_large'
  | 'too_many_redirects'
  | 'downgrade'
  | 'timeout'

/**
 * Why something outside was not fetched. The message is a sentence's end, which goes after the name of the page, and is fit
 * to be shown to whoever gave the address: nothing of the network around us is in it.
 */
export class FetchRefused extends Error {
  readonly code: FetchRefusal
  /** Where it came to an end, which after a redirect is another host than the asked one. Empty for what is no address. */
  readonly host: string

  constructor(code: FetchRefusal, message: string, host: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'FetchRefused'
    this.code = code
    this.host = host
  }
}
