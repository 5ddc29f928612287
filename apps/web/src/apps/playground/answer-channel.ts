/**
 * Between the window of the consent page and the page of the playground, both of our own origin. They cannot see each
 * other otherwise: each page of ours has its browsing context to itself (Cross-Origin-Opener-Policy).
 */
const channelName = 'parley-playground'

type Message = { query: string } | { taken: string }

const isMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && ('query' in data || 'taken' in data)

/** Listens for what comes back; each answer that is wanted is acknowledged. Returns how to stop. */
export function listenForAnswers(take: (query: string) => boolean): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }) => {
    if (isMessage(data) && 'query' in data && take(data.query)) channel.postMessage({ taken: data.query })
  }
  return () => channel.close()
}

/** Hands an answer over to whatever playground waits for it. Returns how to stop. */
export function handOver(query: string, onTaken: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = ({ data }) => {
    if (isMessage(data) && 'taken' in data && data.taken === query) onTaken()
  }
  channel.postMessage({ query })
  return () => channel.close()
}
