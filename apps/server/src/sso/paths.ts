/** The path that starts a sign-in; the callback is registered with the provider. */
export const signInPath = '/api/auth/provider-sign-in'
export const callbackPath = `${signInPath}/callback`

/** The cookie that binds a sign-in to its browser. */
export const providerCookieName = 'parley_provider'
