/**
 * A channel between the callback's window and the playground, both of our origin. Cross-Origin-Opener-Policy gives each
 * page a browsing context group of its own, so that `window.opener` is not available.
 */
const channelName = 'parley-playground'

type Message = { query: string } | { taken: string }

const isMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && ('query' in data || 'taken' in data)

/** Listen for authorization responses, and acknowledge each accepted one. Returns a function that stops. */
export function listenForAnswers(take: (query: string) => boolean): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }) => {
    if (isMessage(data) && 'query' in data && take(data.query)) channel.postMessage({ taken: data.query })
  }
  return () => channel.close()
}

/** Send an authorization response to the playground that waits for it. Returns a function that stops. */
export function handOver(query: string, onTaken: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }) => {
    if (isMessage(data) && 'taken' in data && data.taken === query) onTaken()
  }
  channel.postMessage({ query })
  return () => channel.close()
}
