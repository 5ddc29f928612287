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
  | 'aborted'

/**
 * The reason why an outbound request was refused. The message completes a sentence that begins with the name of the
 * page, and may be shown to the person who gave the URL: it reveals nothing about our network.
 */
export class FetchRefused extends Error {
  readonly code: FetchRefusal
  /** The host at which it failed, which after a redirect is another one than requested. Empty for an invalid URL. */
  readonly host: string

  constructor(code: FetchRefusal, message: string, host: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'FetchRefused'
    this.code = code
    this.host = host
  }
}
