import type { EmbedCommand, EmbedEvent } from '@parley/client/embed'
import { type FrameAddress, readCommand } from './frame-messages.ts'

export type FrameChannel = {
  /** Tell the page around the frame. Before the page has sent its ticket, each registered origin is tried. */
  send(event: EmbedEvent): void
  /** @returns a function that ends it */
  listen(receive: (command: EmbedCommand, origin: string) => void): () => void
  /** From now on, only this origin is accepted and told. */
  keepTo(origin: string): void
}

/**
 * Create the channel to the page around the frame. The browser shows the frame only in pages of the registered origins
 * (`frame-ancestors`); the channel compares the window and the origin of each message as well, and names the origin of
 * each that it sends.
 */
export function createFrameChannel(
  { origins }: Pick<FrameAddress, 'origins'>,
  page: Window = window.parent,
): FrameChannel {
  // A browser that tells the origin of the page around the frame (not Firefox) spares it an error for each other one.
  const around = window.location.ancestorOrigins?.[0]
  const accepted = new Set(around === undefined ? origins : origins.filter((origin) => origin === around))
  return {
    send(event) {
      for (const origin of accepted) page.postMessage({ parley: 1, ...event }, origin)
    },
    listen(receive) {
      const onMessage = ({ source, origin, data }: MessageEvent) => {
        if (source !== page || !accepted.has(origin)) return
        const command = readCommand(data)
        if (command !== undefined) receive(command, origin)
      }
      window.addEventListener('message', onMessage)
      return () => window.removeEventListener('message', onMessage)
    },
    keepTo(origin) {
      accepted.clear()
      accepted.add(origin)
    },
  }
}
