/** RFC 7636, 4.1: 43 to 128 unreserved characters; anything else matches no challenge. */
export const isCodeVerifier = (text: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(text)
