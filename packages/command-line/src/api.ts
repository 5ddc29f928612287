import { CommandError, toJson, UsageError } from './terminal.ts'

type Connection = { base: string; token: string | (() => Promise<string>) }
type ApiRequest = { method: string; path: string; body: string | undefined }

/** Send a request with the token, which goes to the service only. */
export async function callApi({ base, token }: Connection, { method, path, body }: ApiRequest) {
  const address = /^\/(?!\/)/.test(path) ? base + path : ''
  if (!URL.canParse(address) || new URL(address).origin !== base) {
    throw new UsageError('The path must begin with one slash, such as /api/meeting/me')
  }
  if (!/^[a-z]+$/i.test(method)) throw new UsageError('The method must be one of HTTP, such as GET')
  const response = await fetch(address, {
    method: method.toUpperCase(),
    headers: {
      accept: 'application/json, application/problem+json, */*;q=0.5',
      authorization: `Bearer ${typeof token === 'function' ? await token() : token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    // The answer may name another service.
    redirect: 'manual',
  })
  if (response.type === 'opaqueredirect') throw new CommandError('The service redirects elsewhere.')
  const text = await response.text()
  const isJson = /^application\/([\w.+-]+\+)?json\b/.test(response.headers.get('content-type') ?? '')
  return { ok: response.ok, reply: isJson && text !== '' ? toJson(JSON.parse(text), 2) : text }
}
