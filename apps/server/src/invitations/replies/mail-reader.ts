import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { MailRefusal, ReplyMail } from './read-mail.ts'

/** Fifty times what the slowest answer of a real calendar program takes, because the machine may be busy. */
const defaultReadLimitMs = 5_000
/** The parser keeps several copies of a mail of 512 KiB: as sent, decoded, as lines, as parts. */
const maxHeapMb = 128
/** A thread with the parser takes 20 MB; without mails it ends after this time. */
const idleLimitMs = 30_000
/** As many mails as connections may hold (serve-inbound-mail.ts). */
const maxWaitingMails = 20
/** With the time to read a mail, this is less than the time after which an idle connection is closed (serve-inbound-mail.ts). */
const defaultWaitLimitMs = 15_000

/** Too many mails wait to be read: the mail server keeps the mail, and tries again. */
export class MailReaderBusy extends Error {
  override name = 'MailReaderBusy'
}

/**
 * Create a reader of mails: a thread that parses one mail at a time, within limits of time and memory, so that no mail
 * delays the service. A mail that reaches a limit is `unreadable`.
 */
export function createMailReader(limits: { readLimitMs?: number; waitLimitMs?: number } = {}) {
  const { readLimitMs = defaultReadLimitMs, waitLimitMs = defaultWaitLimitMs } = limits
  let thread: Promise<Worker> | undefined
  let idle: NodeJS.Timeout | undefined
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  async function start(): Promise<Worker> {
    const started = new Worker(new URL('./read-mail-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    // `once` reports the error to the mail that is being read.
    started.on('error', () => {})
    await once(started, 'message')
    started.unref()
    return started
  }

  async function end(): Promise<void> {
    const ended = thread
    thread = undefined
    await (await ended?.catch(() => undefined))?.terminate()
  }

  async function readNow(content: Buffer): Promise<ReplyMail | MailRefusal> {
    clearTimeout(idle)
    thread ??= start()
    const limit = new AbortController()
    let timer: NodeJS.Timeout | undefined
    try {
      const reading = await thread
      timer = setTimeout(() => limit.abort(), readLimitMs)
      const answered = once(reading, 'message', { signal: limit.signal })
      reading.postMessage(content)
      const [read] = await answered
      return read
    } catch (error) {
      await end()
      if (limit.signal.aborted || Object(error).code === 'ERR_WORKER_OUT_OF_MEMORY') return 'unreadable'
      throw error
    } finally {
      clearTimeout(timer)
      idle = setTimeout(() => void end(), idleLimitMs)
      idle.unref()
    }
  }

  return {
    /** @throws MailReaderBusy when too many mails wait, or its turn does not come in time */
    async read(content: Buffer): Promise<ReplyMail | MailRefusal> {
      if (waiting >= maxWaitingMails) throw new MailReaderBusy('Too many mails wait to be read')
      waiting += 1
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), waitLimitMs)
      const reading = last.then(() => {
        clearTimeout(timer)
        late.signal.throwIfAborted()
        return readNow(content)
      })
      last = reading.catch(() => {})
      const gaveUp = new Promise<never>((_, reject) => {
        late.signal.addEventListener('abort', () => reject(new MailReaderBusy('Mails before it take too long to read')))
      })
      try {
        return await Promise.race([reading, gaveUp])
      } finally {
        clearTimeout(timer)
        waiting -= 1
      }
    },
    async stop(): Promise<void> {
      clearTimeout(idle)
      await end()
    },
  }
}

export type MailReader = ReturnType<typeof createMailReader>
