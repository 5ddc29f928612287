import type { WebhookUrlPolicy } from '@parley/rules/webhooks/webhook-url'
import type { Config } from '../platform/config/config.ts'
import { createIsInNetworks } from '../platform/network-list.ts'
import { isPublicAddress } from '../platform/outbound/public-address.ts'

/** Receivers use other ports than those of web servers. Below 1024 lie services that obey any client. */
const isReceiverPort = (port: number) => port === 443 || port >= 1024

/** The addresses of this machine, for `localhost`. */
export const ownAddresses = ['127.0.0.1', '::1']

const loopbackNetworks = ['127.0.0.0/8', '::1/128']

/** On a developer's own machine, receivers are there too. */
const isLocal = (baseUrl: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname)

export type ReceiverConfig = Pick<Config, 'baseUrl' | 'webhookAllowedNetworks'>

/**
 * Where webhooks may post to: public addresses, and the networks that the operator allows. Requests that name a URL are
 * checked by it, and so is each attempt (delivery/send-event.ts).
 */
export function createReceiverPolicy({ baseUrl, webhookAllowedNetworks }: ReceiverConfig): WebhookUrlPolicy {
  const networks = isLocal(baseUrl) ? [...webhookAllowedNetworks, ...loopbackNetworks] : webhookAllowedNetworks
  const isAllowed = createIsInNetworks(networks)
  return {
    allowsLocalHttp: ownAddresses.some(isAllowed),
    // `http://localhost` without a port, where the operator allows this machine.
    isAllowedPort: (port) => isReceiverPort(port) || (port === 80 && webhookAllowedNetworks.length > 0),
    isAllowedAddress: (address) => isPublicAddress(address) || isAllowed(address),
  }
}
