import { minPasswordLength } from '@parley/rules/text/password'
import { dictionary } from '@zxcvbn-ts/language-common'

/** Passwords that attackers try first, from published breaches, in lower case (decision 0031). */
export const commonPasswords: ReadonlySet<string> = new Set(
  // The others are too short anyway.
  dictionary['passwords-common'].filter((password) => password.length >= minPasswordLength),
)
