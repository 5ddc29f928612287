import type { WebhookOwner } from '@parley/contract'
import { FetchRefused } from '../../platform/outbound/fetch-refused.ts'
import { createGuardedFetch, type GuardedFetch } from '../../platform/outbound/guarded-fetch.ts'
import { createResolveName, type ResolveName } from '../../platform/outbound/resolve-name.ts'
import { createReceiverPolicy, ownAddresses, type ReceiverConfig } from '../receiver-policy.ts'
import type { ComposedEvent } from './compose-event.ts'

/** A receiver answers within 15 seconds; of its answer the log shows 4 KiB. */
export const deliveryLimits = { timeMs: 15_000, redirects: 0, bodyBytes: 4 * 1024 }

/**
 * Resolve names by DNS, except `localhost`, which is this machine whatever name servers say (RFC 6761, 6.3): to those of
 * its addresses that are allowed, so that allowing one is enough.
 */
function createResolveReceiver(isAllowed: (address: string) => boolean): ResolveName {
  const resolveByDns = createResolveName()
  const allowed = ownAddresses.filter(isAllowed)
  const own = allowed.length > 0 ? allowed : ownAddresses
  return async (name, signal) => (/(^|\.)localhost\.?$/.test(name) ? own : resolveByDns(name, signal))
}

/** The fetch of an owner's webhooks. */
export type WebhookFetch = (owner: WebhookOwner) => GuardedFetch

/**
 * Create the fetch of webhooks: names are resolved, and every address is checked, at each attempt, by the policy of the
 * owner.
 */
export function createWebhookFetch(config: ReceiverConfig): WebhookFetch {
  const createFor = (owner: WebhookOwner) => {
    const { isAllowedAddress, isAllowedPort } = createReceiverPolicy(config, owner)
    return createGuardedFetch({
      baseUrl: config.baseUrl,
      limits: deliveryLimits,
      resolveName: createResolveReceiver(isAllowedAddress),
      isAllowedAddress,
      isAllowedPort,
    })
  }
  const fetches = {
    person: createFor('person'),
    app: createFor('app'),
    grant: createFor('grant'),
    organisation: createFor('organisation'),
  }
  return (owner) => fetches[owner]
}

/** What came back; `error` is a code of `FetchRefused`. */
export type SentEvent = { durationMs: number } /** `isLoggable`: the owner may read what came back. */ & (
  | { kind: 'response'; status: number; headers: Record<string, string>; body: string; isLoggable: boolean }
  | { kind: 'no-response'; error: string }
)

/**
 * Post an event. What a server inside the network answers is for the organisation's log alone: for others, a webhook
 * would be a way to read it. A receiver that does not answer is a result and no error, and so is an
 * attempt that is aborted.
 */
export async function sendEvent(
  url: string,
  { headers, body }: ComposedEvent,
  { owner, fetch, now, signal }: { owner: WebhookOwner; fetch: WebhookFetch; now: () => number; signal?: AbortSignal },
): Promise<SentEvent> {
  const startedAt = now()
  const durationMs = () => Math.round(now() - startedAt)
  try {
    const fetched = await fetch(owner)(url, {
      method: 'POST',
      headers,
      body: Buffer.from(body),
      readBody: 'start',
      ...(signal && { signal }),
    })
    return {
      kind: 'response',
      status: fetched.status,
      headers: Object.fromEntries(Object.entries(fetched.headers).map(([name, value]) => [name, String(value)])),
      body: new TextDecoder().decode(fetched.bytes),
      isLoggable: owner === 'organisation' || fetched.isPublic,
      durationMs: durationMs(),
    }
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    return { kind: 'no-response', error: error.code, durationMs: durationMs() }
  }
}
