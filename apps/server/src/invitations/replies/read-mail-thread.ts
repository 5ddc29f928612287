import { parentPort } from 'node:worker_threads'
import { readReplyMail } from './read-mail.ts'

/** The thread of mail-reader.ts: reads one mail after the other, as soon as it has loaded what it needs. */
await Promise.all([import('mailparser'), import('ical.js')])
parentPort?.postMessage('ready')
parentPort?.on('message', async (content: Uint8Array) => {
  parentPort?.postMessage(await readReplyMail(Buffer.from(content)))
})
