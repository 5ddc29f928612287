import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { type Delivered, runStory } from './story.ts'

/** SHOW_STORY=1 prints what the guest's calendar shows after each step. */
const show = process.env.SHOW_STORY === '1' ? (text: string) => console.log(text) : undefined

test('a calendar that receives only one guest’s mails shows the right dates after each step (smtp-server)', async (context) => {
  const delivered: Delivered[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => {
        for (const { address } of envelope.rcptTo) delivered.push({ to: address, content: Buffer.concat(chunks) })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  context.after(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  await runStory(context, { url: `smtp://127.0.0.1:${port}`, received: async () => delivered.splice(0) }, show)
})
