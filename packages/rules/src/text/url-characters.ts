/**
 * Whether a text contains characters that a URL cannot contain (RFC 3986, 2), or encoded control characters, which
 * would get into headers and logs.
 */
export const hasForbiddenUrlCharacter = (text: string) =>
  /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]|%(?![\da-f]{2})|%[01][\da-f]|%7f/i.test(text)
