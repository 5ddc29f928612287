import { type AgentClientPolicy, agentClientPolicies } from '@parley/rules/oauth-apps/agent-clients'
import { readClientIdUrl } from '@parley/rules/oauth-apps/client-id-url'
import type { EnvironmentReader } from './environment.ts'

/** Clients that no developer has registered in the portal, such as assistants (docs/oauth.md, "Assistants"). */
export type AgentConfig = {
  clients: AgentClientPolicy
  /** Hosts of client ID metadata documents that need no review, as in URLs. */
  hosts: readonly string[]
  /** Whether clients may register themselves (RFC 7591). */
  registration: 'on' | 'off'
}

export function readAgentConfig(read: EnvironmentReader): AgentConfig {
  const clients = read.oneOf('AGENT_CLIENTS', agentClientPolicies, 'reviewed')
  const hosts = read.parsed(
    'AGENT_CLIENT_HOSTS',
    [],
    'host names, such as claude.ai,vscode.dev, in small letters',
    parseHosts,
  )
  const registration = read.oneOf('AGENT_REGISTRATION', ['on', 'off'], 'off')
  if (clients === 'listed' && read.text('AGENT_CLIENT_HOSTS') === undefined) {
    read.refuse('AGENT_CLIENT_HOSTS must be given when AGENT_CLIENTS is listed: the hosts of the clients to accept.')
  }
  if (registration === 'on' && (clients === 'off' || clients === 'listed')) {
    read.refuse(`AGENT_REGISTRATION is on, but AGENT_CLIENTS=${clients} accepts no client that registers itself.`)
  }
  return { clients, hosts, registration }
}

function parseHosts(text: string): string[] | undefined {
  const hosts = text.split(',').map((part) => part.trim())
  return hosts.every(isHost) ? hosts : undefined
}

/** Whether a host stands like this in the URLs of documents. */
function isHost(text: string): boolean {
  const url = readClientIdUrl(`https://${text}/client.json`)
  return url.kind === 'allowed' && url.host === text
}
