import type { TestApp } from '../start-app.ts'

/** A page, as a program reads it. */
export type Visit = {
  status: number
  headers: Headers
  text: string
  /** The target of a redirect; undefined for a page. */
  location: string | undefined
}

/** A minimal browser for server pages: it keeps cookies, follows redirects to our own pages, and submits forms. */
export type PlainBrowser = {
  cookies: Map<string, string>
  get(address: string, headers?: Record<string, string>): Promise<Visit>
  post(address: string, fields: Fields, headers?: Record<string, string>): Promise<Visit>
  /** Follow redirects within our own pages; stop at a page, or at a redirect to another origin. */
  follow(visit: Visit): Promise<Visit>
  /** Fill in the form of a page, keep its hidden fields and selected checkboxes, and submit it. */
  submit(visit: Visit, fields: Record<string, string>, headers?: Record<string, string>): Promise<Visit>
}

type Fields = Record<string, string> | readonly (readonly [string, string])[]

/** Addresses are paths, or absolute URLs under the service's public address. */
export function createPlainBrowser(app: TestApp): PlainBrowser {
  const cookies = new Map<string, string>()
  const { baseUrl } = app.config

  async function send(address: string, init: RequestInit): Promise<Visit> {
    const path = address.startsWith(baseUrl) ? address.slice(baseUrl.length) : address
    const target = path.startsWith('/') ? `${app.base}${path}` : path
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie === '' ? {} : { cookie }), ...(init.headers as Record<string, string>) }
    const response = await fetch(target, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/max-age=0\b/i.test(line)) cookies.delete(pair.slice(0, at))
      else cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const { status } = response
    const location = response.headers.get('location') ?? undefined
    return { status, headers: response.headers, text: await response.text(), location }
  }

  const browser: PlainBrowser = {
    cookies,
    get: (address, headers = {}) => send(address, { headers }),
    post: (address, fields, headers = {}) =>
      send(address, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams(fields as Record<string, string>).toString(),
      }),
    async follow(visit) {
      let at = visit
      for (let step = 0; at.location?.startsWith('/'); step++) {
        if (step === 10) throw new Error(`Redirects go in circles: ${at.location}`)
        at = await browser.get(at.location)
      }
      return at
    },
    submit(visit, fields, headers) {
      const action = /<form[^>]* action="([^"]+)"/.exec(visit.text)?.[1]
      if (action === undefined) throw new Error(`There is no form on this page: ${visit.status} ${visit.text}`)
      const hidden = Object.entries({ ...hiddenFields(visit), ...fields })
      return browser.post(action, [...hidden, ...selectedCheckboxes(visit)], headers)
    },
  }
  return browser
}

/** Read the hidden fields of a page's form. */
export function hiddenFields({ text }: Visit): Record<string, string> {
  const inputs = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]))
}

const selectedCheckboxes = ({ text }: Visit) =>
  [...text.matchAll(/<input type="checkbox" name="([^"]+)" value="([^"]*)"[^>]* checked>/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )

/** The readable text of a page, in one line. */
export const readingOf = ({ text }: Pick<Visit, 'text'>): string =>
  text
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replaceAll(/<\/?bdi>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
    .trim()
