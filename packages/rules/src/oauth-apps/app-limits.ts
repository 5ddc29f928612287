/** Secrets of an app that work at once, in each of sandbox and production: one in use, one to rotate to. */
export const maxActiveSecrets = 2

/** Accounts that may use an app before its review. */
export const maxTesters = 100
