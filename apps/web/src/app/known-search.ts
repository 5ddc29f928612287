type Sent = Record<string, unknown>

/**
 * Reads a page's address so that what the reader leaves out is left out: the router hands a page all that stands in the
 * address, and the reader's answer over it. A `next` that is refused would else lead on to anywhere (CWE-601).
 */
export const knownSearch =
  <Search extends object>(read: (sent: Sent) => Search) =>
  (sent: Sent): Search => ({ ...nothingOf(sent), ...read(sent) })

const nothingOf = (sent: Sent): Record<string, undefined> =>
  Object.fromEntries(Object.keys(sent).map((name) => [name, undefined]))
