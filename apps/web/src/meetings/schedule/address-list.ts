import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import { guestNameOf, readMailbox, writeMailbox } from '@parley/rules/text/mailbox'

/*
 * The people of a form are texts as the API takes them: an address, or a name with an address
 * (`Bob Baker <bob@example.org>`). What is not an address yet stays as it was typed.
 */

/** The address of a person of the form. */
export const addressOf = (person: string): string => readMailbox(person).address

/**
 * Parse a typed or pasted list of people: separated by commas, semicolons or line ends, with names
 * (`"Doe, Jane" <jane@example.org>`) or without, or by spaces where there are only addresses. Invalid parts are returned
 * as typed, so that they can be corrected. Duplicates are removed.
 */
export function readAddressList(text: string): string[] {
  const found = splitOutsideQuotes(text).flatMap((part) => {
    if (/<[^<>]*>\s*$/.test(part)) return [part]
    const words = part.split(/\s+/).filter((word) => word !== '')
    // "bob@x.org carol@x.org", but not a name that was typed without an address.
    return words.some((word) => word.includes('@')) ? words.filter((word) => word.includes('@')) : [words.join(' ')]
  })
  return withoutDoubles(found.map(toPerson).filter((person) => person !== ''))
}

/** A name that is none, such as the address again, is left out. */
function toPerson(text: string): string {
  const { address, name } = readMailbox(text)
  return writeMailbox({ address: address.replace(/^mailto:/i, ''), name: guestNameOf(name) })
}

/** Keep each address once, in its first place and spelling, ignoring case, with the last name that is given to it. */
export function withoutDoubles(people: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const person of people) {
    const { address, name } = readMailbox(person)
    const key = addressKey(address)
    const first = byKey.get(key)
    if (first === undefined) byKey.set(key, person)
    else if (name !== '') byKey.set(key, writeMailbox({ address: addressOf(first), name }))
  }
  return [...byKey.values()]
}

export const wrongAddresses = (people: readonly string[]): string[] =>
  people.filter((person) => !isEmailAddress(addressOf(person)))

/** A comma inside quotation marks is part of a name. */
const splitOutsideQuotes = (text: string): string[] => text.match(/(?:"[^"\n]*"|[^,;\n\r])+/g) ?? []
