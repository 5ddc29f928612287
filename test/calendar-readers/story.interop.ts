import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { debianPython } from '../helpers/debian-python.ts'
import { requireDebianReaders } from './debian-readers.ts'
import { type Delivered, runStory } from './story.ts'

/** npm run test:interop: the same story with a Debian mail server, installed by scripts/install-interop-tools.sh. */
before(requireDebianReaders)

const program = fileURLToPath(new URL('python/receive_mails.py', import.meta.url))

test('a calendar that receives only one guest’s mails shows the right dates after each step (aiosmtpd)', async (context) => {
  const child = spawn(debianPython, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  context.after(async () => {
    child.stdin.end()
    await ended
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const receive = async () => JSON.parse((await lines.next()).value ?? 'null')
  const { port } = await receive()

  async function received(): Promise<Delivered[]> {
    const delivered: Delivered[] = []
    child.stdin.write('\n')
    for (let said = await receive(); said?.done === undefined; said = await receive()) {
      delivered.push({ to: said.to, content: Buffer.from(said.content, 'base64') })
    }
    return delivered
  }
  await runStory(context, { url: `smtp://127.0.0.1:${port}`, received })
})
