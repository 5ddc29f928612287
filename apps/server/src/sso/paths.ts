/** Where browsers go; the callback is what is registered with the provider. */
export const signInPath = '/api/auth/provider-sign-in'
export const callbackPath = `${signInPath}/callback`

/** Tells the browser that began a sign-in from any other. */
export const providerCookieName = 'parley_provider'
