type Sent = Record<string, unknown>

/**
 * Remove search parameters that `read` leaves out. The router merges the reader's result over the raw parameters, so a
 * rejected `next` would remain and redirect to another site (CWE-601).
 */
export const withoutUnknownParameters =
  <Search extends object>(read: (sent: Sent) => Search) =>
  (sent: Sent): Search => ({ ...nothingOf(sent), ...read(sent) })

const nothingOf = (sent: Sent): Record<string, undefined> =>
  Object.fromEntries(Object.keys(sent).map((name) => [name, undefined]))
