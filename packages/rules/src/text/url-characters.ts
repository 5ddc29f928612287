/**
 * Whether a text holds what a URL cannot (RFC 3986, 2). Encoded control characters are refused as well: they end up in
 * headers and logs.
 */
export const hasForbiddenUrlCharacter = (text: string) =>
  /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]|%(?![\da-f]{2})|%[01][\da-f]|%7f/i.test(text)
