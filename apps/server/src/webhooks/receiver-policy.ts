import type { WebhookUrlPolicy } from '@parley/rules/webhooks/webhook-url'
import type { Config } from '../platform/config/config.ts'
import { createIsInNetworks } from '../platform/network-list.ts'
import { isPublicAddress } from '../platform/outbound/public-address.ts'
import { allowedNetworks } from './delivery/send-event.ts'

/** Receivers use other ports than those of web servers. Below 1024 lie services that obey any client. */
const isReceiverPort = (port: number) => port === 443 || port >= 1024

const loopback = ['127.0.0.1', '::1']

/** What the URL of a webhook may lead to; the fetch of deliveries checks the same at each attempt (send-event.ts). */
export function createReceiverPolicy(config: Pick<Config, 'baseUrl' | 'webhookAllowedNetworks'>): WebhookUrlPolicy {
  const isAllowed = createIsInNetworks(allowedNetworks(config))
  return {
    allowsLocalHttp: loopback.some(isAllowed),
    isAllowedPort: (port) => isReceiverPort(port) || (port === 80 && config.webhookAllowedNetworks.length > 0),
    isAllowedAddress: (address) => isPublicAddress(address) || isAllowed(address),
  }
}
