import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'

/**
 * Parse a typed or pasted list of email addresses: separated by commas, semicolons or line ends, with or without names
 * (`"Doe, Jane" <jane@example.org>`), or by spaces where there are only addresses. Invalid parts are returned as typed,
 * so that they can be corrected. Duplicates are removed.
 */
export function readAddressList(text: string): string[] {
  const found = splitOutsideQuotes(text).flatMap((part) => {
    const named = /<\s*([^<>]*?)\s*>/.exec(part)?.[1]
    if (named !== undefined) return [named]
    const words = part.split(/\s+/).filter((word) => word !== '')
    // "bob@x.org carol@x.org", but not a name that was typed without an address.
    return words.some((word) => word.includes('@')) ? words.filter((word) => word.includes('@')) : [words.join(' ')]
  })
  return withoutDoubles(found.map((address) => address.replace(/^mailto:/i, '')).filter((address) => address !== ''))
}

/** Keep the first of each address, ignoring case. */
export function withoutDoubles(addresses: readonly string[]): string[] {
  const first = new Map<string, string>()
  for (const address of addresses) if (!first.has(addressKey(address))) first.set(addressKey(address), address)
  return [...first.values()]
}

export const wrongAddresses = (addresses: readonly string[]): string[] =>
  addresses.filter((address) => !isEmailAddress(address))

/** A comma inside quotation marks is part of a name. */
const splitOutsideQuotes = (text: string): string[] => text.match(/(?:"[^"\n]*"|[^,;\n\r])+/g) ?? []
