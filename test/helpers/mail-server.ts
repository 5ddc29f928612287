import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer } from 'smtp-server'

/** The behaviour of the mail server for one address. */
export type Failure =
  | 'none'
  /** 451 for the recipient or the content: a temporary failure. */
  | 'later'
  | 'later-after-data'
  /** 550: the address does not exist. */
  | 'never'
  /** Stops responding before receiving the mail, or after accepting it. */
  | 'silent'
  | 'silent-after-taking'
  /** Closes the connection after accepting the mail. */
  | 'hangs-up-after-taking'

type Arrived = { to: string; content: Buffer }

const reply = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

/** A real mail server with configurable failures for each address. It keeps received mails in order. */
export async function startMailServer(context: TestContext, failureOf: (address: string) => Failure = () => 'none') {
  const arrived: Arrived[] = []
  const silent = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      const failure = failureOf(address)
      if (failure === 'later') return done(reply(451, 'Try again later'))
      if (failure === 'never') return done(reply(550, 'No such user here'))
      if (failure === 'silent') return void silent.add(done)
      done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? ''
        const failure = failureOf(to)
        if (failure === 'later-after-data') return done(reply(451, 'Try again later'))
        arrived.push({ to, content: Buffer.concat(chunks) })
        if (failure === 'silent-after-taking') return void silent.add(done)
        if (failure === 'hangs-up-after-taking') return void sockets.at(-1)?.destroy()
        done()
      })
    },
  })
  const sockets: { destroy(): void }[] = []
  server.on('error', () => {})
  server.server.on('connection', (socket) => {
    socket.on('error', () => {})
    sockets.push(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  context.after(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => server.close(resolve))
  })
  const { port } = server.server.address() as AddressInfo
  /** Take what has arrived since the last call. */
  const received = async () => arrived.splice(0)
  return { url: `smtp://127.0.0.1:${port}`, arrived, received }
}
