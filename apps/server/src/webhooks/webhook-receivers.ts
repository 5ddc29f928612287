import type { WebhookOwner } from '@parley/contract'
import type { WebhookUrlPolicy } from '@parley/rules/webhooks/webhook-url'
import type { Config } from '../platform/config/config.ts'
import { createIsInNetworks } from '../platform/network-list.ts'
import { createGuardedFetch, type GuardedFetch } from '../platform/outbound/guarded-fetch.ts'
import { isPublicAddress } from '../platform/outbound/public-address.ts'
import { createResolveName, type ResolveName } from '../platform/outbound/resolve-name.ts'

/** Receivers may use ports other than 443. Below 1024, services run that obey any client. */
const isReceiverPort = (port: number) => port === 443 || port >= 1024

/** The addresses of this machine, for `localhost`. */
const ownAddresses = ['127.0.0.1', '::1']

const loopbackNetworks = ['127.0.0.0/8', '::1/128']

/** The port of PostgreSQL unless DATABASE_URL names another. */
const defaultDatabasePort = 5432

type ReceiverConfig = Pick<
  Config,
  | 'baseUrl'
  | 'webhookAllowedNetworks'
  | 'localReceivers'
  | 'port'
  | 'metrics'
  | 'inboundMail'
  | 'databaseUrl'
  | 'smtpUrl'
>

/** Ports of Parley and of the services that it uses. Only webhooks of the organisation may post to them. */
function ownPorts({ port, metrics, inboundMail, databaseUrl, smtpUrl }: ReceiverConfig): readonly number[] {
  const namedIn = (url: string | undefined) => (URL.canParse(url ?? '') ? [Number(new URL(url ?? '').port)] : [])
  const named = [port, metrics?.port ?? 0, inboundMail?.port ?? 0, ...namedIn(databaseUrl), ...namedIn(smtpUrl)]
  return [defaultDatabasePort, ...named.filter((one) => one > 0)]
}

/**
 * Define where webhooks of an owner may post to. Webhooks of the organisation reach public addresses and the networks
 * that the operator allows. Other webhooks reach public addresses; on a developer's own machine also programs on it,
 * except Parley's own. Requests that name a URL are checked by this policy, and so is each attempt
 * (`createWebhookFetch`).
 */
export function createReceiverPolicy(config: ReceiverConfig, owner: WebhookOwner): WebhookUrlPolicy {
  const { webhookAllowedNetworks, localReceivers } = config
  const ofOrganisation = owner === 'organisation'
  const networks = [...(ofOrganisation ? webhookAllowedNetworks : []), ...(localReceivers ? loopbackNetworks : [])]
  const isAllowed = createIsInNetworks(networks)
  const closedPorts = ofOrganisation || !localReceivers ? [] : ownPorts(config)
  return {
    allowsLocalHttp: ownAddresses.some(isAllowed),
    // `http://localhost` without a port, where the operator allows this machine.
    isAllowedPort: (port) =>
      !closedPorts.includes(port) &&
      (isReceiverPort(port) || (ofOrganisation && port === 80 && webhookAllowedNetworks.length > 0)),
    isAllowedAddress: (address) => isPublicAddress(address) || isAllowed(address),
  }
}

/** A receiver has 15 seconds to respond. The log shows 4 KiB of the response. */
export const deliveryLimits = { timeMs: 15_000, redirects: 0, bodyBytes: 4 * 1024 }

/**
 * Resolve names by DNS, except `localhost`, which is always this machine (RFC 6761, 6.3). `localhost` resolves to the
 * loopback addresses that are allowed, so that allowing one of them is enough.
 */
function createResolveReceiver(isAllowed: (address: string) => boolean): ResolveName {
  const resolveByDns = createResolveName()
  const allowed = ownAddresses.filter(isAllowed)
  const own = allowed.length > 0 ? allowed : ownAddresses
  return async (name, signal) => (/(^|\.)localhost\.?$/.test(name) ? own : resolveByDns(name, signal))
}

/** Find the fetch function for the webhooks of an owner. */
export type WebhookFetch = (owner: WebhookOwner) => GuardedFetch

/**
 * Create the fetch of webhooks. Each attempt resolves the name again, and checks every address by the policy of the
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
