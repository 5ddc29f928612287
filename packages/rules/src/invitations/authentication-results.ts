type Evidence = {
  /** The authserv-id of the operator's own mail server. */
  server: string
  /** The address in From. */
  sender: string
  /** The values of the header Authentication-Results, from the top of the mail. */
  headers: readonly string[]
}

/**
 * Decide whether the operator's mail server has authenticated the sender of a mail (RFC 8601): DMARC passed for the
 * domain of From (RFC 7489), or DKIM or SPF for an aligned domain. Only the topmost header of that server counts:
 * headers below it may be the sender's.
 */
export function isAuthenticated({ server, sender, headers }: Evidence): boolean {
  const domain = domainOf(sender)
  const own = headers.map(readResults).find((results) => results?.server === server.toLowerCase())
  return (
    own?.methods.some(({ method, result, properties }) => {
      if (result !== 'pass') return false
      switch (method) {
        case 'dmarc':
          return domainOf(properties.get('header.from') ?? '') === domain
        case 'dkim':
          return isAligned(domain, domainOf(properties.get('header.d') ?? properties.get('header.i') ?? ''))
        case 'spf':
          return isAligned(domain, domainOf(properties.get('smtp.mailfrom') ?? ''))
        default:
          return false
      }
    }) ?? false
  )
}

/** The domain of an address, or of a value that is one. */
const domainOf = (text: string): string => text.slice(text.lastIndexOf('@') + 1).toLowerCase()

/**
 * Relaxed alignment (RFC 7489, 3.1): the domains are equal, or one is a subdomain of the other. A top-level domain
 * aligns with none.
 */
const isAligned = (domain: string, authenticated: string): boolean =>
  domain === authenticated ||
  (authenticated.includes('.') && domain.endsWith(`.${authenticated}`)) ||
  (domain.includes('.') && authenticated.endsWith(`.${domain}`))

type Results = {
  server: string
  methods: { method: string; result: string; properties: ReadonlyMap<string, string> }[]
}

/** Undefined for a header of another form. A method of another form is left out. */
function readResults(header: string): Results | undefined {
  const [head = '', ...parts] = partsOf(header)
  const [server] = head
  if (server === undefined) return undefined
  return {
    server: server.toLowerCase(),
    methods: parts.flatMap(([first = '', ...rest]) => {
      const [, method, result] = /^([a-z0-9-]+)(?:\/\d+)?=([a-z]+)$/.exec(first.toLowerCase()) ?? []
      if (method === undefined || result === undefined) return []
      const properties = rest.flatMap((word): [string, string][] => {
        const [, name, value] = /^([a-z]+\.[a-z-]+)=(.*)$/is.exec(word) ?? []
        return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]]
      })
      // A property that is named twice could be read in two ways.
      const isPlain = new Set(properties.map(([name]) => name)).size === properties.length
      return isPlain ? [{ method, result, properties: new Map(properties) }] : []
    }),
  }
}

/**
 * Split a header at its semicolons, and each part into words; comments and quotes are resolved (RFC 5322, 3.2). Spaces
 * around `=` are removed.
 */
function partsOf(header: string): string[][] {
  const parts: string[][] = [[]]
  let word = ''
  let depth = 0
  let isQuoted = false
  const endWord = () => {
    if (word !== '') parts.at(-1)?.push(word)
    word = ''
  }
  for (let at = 0; at < header.length; at++) {
    const character = header[at] ?? ''
    if (character === '\\' && (isQuoted || depth > 0)) {
      at++
      if (isQuoted) word += header[at] ?? ''
    } else if (depth === 0 && character === '"') isQuoted = !isQuoted
    else if (isQuoted) word += character
    else if (character === '(') depth++
    else if (character === ')' && depth > 0) depth--
    else if (depth > 0) continue
    else if (character === ';') {
      endWord()
      parts.push([])
    } else if (/\s/.test(character)) {
      const isBesideEquals = word.endsWith('=') || /^\s*=/.test(header.slice(at, at + 80))
      if (!isBesideEquals) endWord()
    } else word += character
  }
  endWord()
  return parts
}
