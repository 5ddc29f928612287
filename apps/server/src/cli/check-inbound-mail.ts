import { once } from 'node:events'
import { connect } from 'node:net'

/** Short, because an operator waits at a terminal. */
const timeoutMs = 5_000

/** Find out whether this service, another program, or nothing takes mail at a port. */
export async function checkInboundMail({ host, port }: { host: string; port: number }) {
  const socket = connect({ host, port })
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    await once(socket, 'connect', { signal })
    const [greeting] = await once(socket, 'data', { signal })
    return /^220 parley LMTP\b/.test(String(greeting)) ? 'parley' : 'another program'
  } catch {
    return socket.pending ? 'nothing' : 'another program'
  } finally {
    socket.destroy()
  }
}
