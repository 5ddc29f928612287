/** More than any page of ours has. */
const longest = 2_000

/** Where somebody goes on to after signing in: a path of ours, whatever was asked for; else the start page. */
export function returnToOf(asked: string | undefined, baseUrl: string): string {
  if (asked === undefined || asked.length > longest || !asked.startsWith('/')) return '/'
  // Browsers read //host, /\host and control characters in between as another site's address.
  if (!URL.canParse(asked, baseUrl)) return '/'
  const url = new URL(asked, baseUrl)
  return url.origin === baseUrl ? url.href.slice(baseUrl.length) : '/'
}
