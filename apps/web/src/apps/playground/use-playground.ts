import { type App, exchangeToken, type ReplyOf, revokeToken } from '@parley/contract'
import { isPublic } from '@parley/rules/oauth/client-type'
import { playgroundCallback } from '@parley/rules/oauth/redirect-uri'
import { useEffect, useState } from 'react'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { listenForAnswers } from './answer-channel.ts'
import {
  type Authorization,
  type AuthorizationResponse,
  newAuthorization,
  readAuthorizationResponse,
} from './authorization.ts'
import { basicOf, type Exchange, form, send, type WireRequest } from './wire.ts'

type TokenReply = ReplyOf<typeof exchangeToken>
export type Tokens = Pick<TokenReply, 'access_token' | 'refresh_token' | 'scope'> & {
  /** By the clock of this device. */
  expiresAtMs: number
}

type Step = 'exchange' | 'call' | 'refresh' | 'revoke'
type Server = { issuer: string; authorizationEndpoint: string }
export type Playground = ReturnType<typeof usePlayground>

/** Whether the sandbox works, which it does from the first submission on. */
export const wasSubmitted = ({ status, liveRevision }: Pick<App, 'status' | 'liveRevision'>): boolean =>
  status !== 'draft' || liveRevision !== null

type PlaygroundApp = Pick<App, 'sandboxClientId' | 'clientType'>

/** The state of one run through the flow. It is kept in the memory of this page only. */
export function usePlayground({ sandboxClientId: clientId, clientType }: PlaygroundApp, server: Server) {
  const { issuer, authorizationEndpoint } = server
  const hasNoSecret = isPublic(clientType)
  const [secret, setSecret] = useState('')
  const [authorization, setAuthorization] = useState<Authorization>()
  const [authorizationResponse, setAuthorizationResponse] = useState<AuthorizationResponse>()
  const [tokens, setTokens] = useState<Tokens>()
  const [exchanges, setExchanges] = useState<Partial<Record<Step, Exchange>>>({})
  /** Secrets and tokens, which are masked on screen. */
  const [secrets, setSecrets] = useState<readonly string[]>([])
  const hide = (...found: (string | undefined)[]) =>
    setSecrets((known) => [...known, ...found.filter((one) => one !== undefined)])
  const redirectUri = playgroundCallback(location.origin)

  useEffect(() => {
    if (authorization === undefined) return
    return listenForAnswers((query) => {
      const back = readAuthorizationResponse(query, authorization, issuer)
      setAuthorizationResponse(back)
      setTokens(undefined)
      setExchanges({})
      if (back.code !== undefined) setSecrets((known) => [...known, back.code ?? ''])
      return true
    })
  }, [authorization, issuer])

  const sending = useMutation({
    mutationFn: ({ request }: { step: Step; request: WireRequest }) => send(request),
    onSuccess: (exchange, { step }) => {
      const got = step === 'exchange' || step === 'refresh' ? readTokens(exchange) : undefined
      if (got !== undefined) {
        setTokens(got)
        hide(got.access_token, got.refresh_token)
      }
      setExchanges((known) => ({ ...known, [step]: exchange }))
    },
  })
  /**
   * The client authenticates by the Authorization header, so that its secret is in no body and no address; a public one
   * sends its id in the body.
   */
  const askToken = (step: Step, url: string, fields: Record<string, string>) => {
    const { headers, body } = form(hasNoSecret ? { ...fields, client_id: clientId } : fields)
    const basic = basicOf(clientId, secret)
    if (!hasNoSecret) hide(secret, basic.slice('Basic '.length))
    const request: WireRequest = {
      method: 'POST',
      url,
      headers: hasNoSecret ? headers : { authorization: basic, ...headers },
      ...(body && { body }),
    }
    sending.mutate({ step, request })
  }

  return {
    hasNoSecret,
    secret,
    setSecret,
    authorization,
    authorizationResponse,
    tokens,
    exchanges,
    secrets,
    redirectUri,
    busy: sending.isPending ? sending.variables.step : undefined,
    error: sending.error,
    async prepare(scopes: readonly string[], askAgain: boolean) {
      const wishes = { endpoint: authorizationEndpoint, clientId, redirectUri, scopes, askAgain }
      const made = await newAuthorization(wishes)
      hide(made.verifier)
      setAuthorization(made)
      setAuthorizationResponse(undefined)
      setTokens(undefined)
      setExchanges({})
    },
    exchange() {
      const { code } = authorizationResponse ?? {}
      if (code === undefined) return
      const verifier = authorization?.verifier
      askToken('exchange', exchangeToken.path, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        ...(verifier !== undefined && { code_verifier: verifier }),
      })
    },
    call(request: WireRequest) {
      const headers = { ...request.headers, authorization: `Bearer ${tokens?.access_token ?? ''}` }
      sending.mutate({ step: 'call', request: { ...request, headers } })
    },
    refresh() {
      const refreshToken = tokens?.refresh_token ?? ''
      askToken('refresh', exchangeToken.path, { grant_type: 'refresh_token', refresh_token: refreshToken })
    },
    revoke: () => askToken('revoke', revokeToken.path, { token: tokens?.refresh_token ?? '' }),
  }
}

/** Undefined for an error response. */
function readTokens({ answer: { status, body } }: Exchange): Tokens | undefined {
  if (status !== 200) return undefined
  const reply = JSON.parse(body) as TokenReply
  return { ...reply, expiresAtMs: readClockMs() + reply.expires_in * 1_000 }
}
