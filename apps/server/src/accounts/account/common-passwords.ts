import { minPasswordLength } from '@parley/rules/text/password'
import { dictionary } from '@zxcvbn-ts/language-common'

/** Passwords that attackers try first, from published breaches, in lower case (docs/decisions/0031). */
export const commonPasswords: ReadonlySet<string> = new Set(
  // Shorter ones are refused for their length.
  dictionary['passwords-common'].filter((password) => password.length >= minPasswordLength),
)
