import { maxTesters } from '@parley/rules/oauth-apps/app-limits'
import { isEmailAddress } from '@parley/rules/text/email-address'

type Added =
  | { kind: 'added'; testers: string[] }
  | { kind: 'wrong'; address: string }
  | { kind: 'empty' }
  | { kind: 'tooMany' }

/** Add pasted addresses, separated by line ends, commas, semicolons or spaces, without duplicates. */
export function addAddresses(testers: readonly string[], text: string): Added {
  const typed = text.split(/[\s,;]+/).filter((address) => address !== '')
  const wrong = typed.find((address) => !isEmailAddress(address))
  if (typed.length === 0) return { kind: 'empty' }
  if (wrong !== undefined) return { kind: 'wrong', address: wrong }
  const all = [...testers]
  for (const address of typed) {
    if (!all.some((known) => known.toLowerCase() === address.toLowerCase())) all.push(address)
  }
  return all.length > maxTesters ? { kind: 'tooMany' } : { kind: 'added', testers: all }
}
