/** A panel beside the tiles. */
export type EmbedPanel = 'chat' | 'people' | 'captions'

/** What a page tells the frame of a meeting. */
export type EmbedCommand =
  | { type: 'ticket'; ticket: string }
  | { type: 'microphone' | 'camera' | 'screen' | 'hand'; on: boolean }
  | { type: 'panel'; panel: EmbedPanel | null }
  | { type: 'layout'; layout: 'grid' | 'speaker' }
  | { type: 'leave' }

/** What the frame of a meeting tells the page around it. */
export type EmbedEvent =
  /** The frame is loaded, and needs a ticket. */
  | { type: 'ready' }
  /** The user has asked to join, and waits: `waiting`, `waiting_for_host` or `too_early`. */
  | { type: 'waiting'; state: string }
  /** The user is inside. */
  | { type: 'joined'; id: string; name: string }
  /** The user's own switches, and what the frame shows. */
  | {
      type: 'state'
      microphone: boolean
      camera: boolean
      screen: boolean
      hand: boolean
      panel: EmbedPanel | null
      layout: 'grid' | 'speaker'
    }
  /** Another person came or went. The names of guests are what they have entered. */
  | { type: 'participant'; change: 'joined' | 'left'; id: string; name: string; isGuest: boolean }
  /** The people who speak now, the user included. */
  | { type: 'speaking'; ids: readonly string[] }
  /** The user has left the meeting. */
  | { type: 'left' }
  /** The meeting is over for the user: `ended`, `removed`, `cancelled`, `elsewhere`, `lost`, `too_much_sent` or `refused`. */
  | { type: 'ended'; reason: string }
  /** The code of a problem of the API, or `ticket_missing` where `getTicket` has failed. */
  | { type: 'error'; code: string }

type EventOf<Type extends EmbedEvent['type']> = Extract<EmbedEvent, { type: Type }>

export type EmbedOptions = {
  /** The element that the frame fills. */
  parent: Element
  /** The service's address, such as `https://meet.example.org`. */
  base: string
  svcMeetId: string
  /** The app's client id, of which the service knows the origins that may embed. */
  clientId: string
  /** Called for each load of the frame: a new ticket of `POST /api/rooms/{svcMeetId}/embed-tickets`, from your server. */
  getTicket(): Promise<string>
  /** The frame's name for screen readers. */
  title?: string
}

export type EmbeddedMeeting = {
  readonly frame: HTMLIFrameElement
  /** @returns a function that stops calling the listener */
  on<Type extends EmbedEvent['type']>(type: Type, listener: (event: EventOf<Type>) => void): () => void
  setMicrophone(on: boolean): void
  setCamera(on: boolean): void
  /**
   * Share the screen, from a click in your page. Browsers other than Chromium let only a click in the frame do it: the
   * frame then says so.
   */
  setScreen(on: boolean): void
  setHand(up: boolean): void
  openPanel(panel: EmbedPanel | null): void
  setLayout(layout: 'grid' | 'speaker'): void
  leave(): void
  /** Leave, and remove the frame. */
  remove(): void
}

/** What the frame may use. The person is asked by the browser all the same. */
const features = ['camera', 'microphone', 'display-capture', 'autoplay', 'fullscreen', 'screen-wake-lock']

/** Show a meeting in a frame. @throws TypeError where `base` is no address */
export function embedMeeting(options: EmbedOptions): EmbeddedMeeting {
  const { parent, base, svcMeetId, clientId, getTicket, title = 'Parley' } = options
  const { origin } = new URL(base)
  const listeners = new Set<(event: EmbedEvent) => void>()
  const frame = parent.ownerDocument.createElement('iframe')
  frame.title = title
  frame.allow = features.map((feature) => `${feature} ${origin}`).join('; ')
  frame.style.cssText = 'border:0;width:100%;height:100%'
  const query = new URLSearchParams({ clientId })
  frame.src = `${base.replace(/\/+$/, '')}/embed/${encodeURIComponent(svcMeetId)}?${query}`

  function send(command: EmbedCommand, more: object = {}) {
    frame.contentWindow?.postMessage({ parley: 1, ...command }, { targetOrigin: origin, ...more })
  }
  const notify = (event: EmbedEvent) => {
    for (const listener of listeners) listener(event)
  }
  async function sendTicket() {
    try {
      send({ type: 'ticket', ticket: await getTicket() })
    } catch {
      notify({ type: 'error', code: 'ticket_missing' })
    }
  }
  function receive({ source, origin: from, data }: MessageEvent) {
    // Other frames and windows may send any message.
    if (source !== frame.contentWindow || from !== origin || Object(data).parley !== 1) return
    const { parley: _, ...event } = data
    if (event.type === 'ready') void sendTicket()
    notify(event)
  }
  addEventListener('message', receive)
  parent.append(frame)

  return {
    frame,
    on(type, listener) {
      const listen = (event: EmbedEvent) => {
        if (event.type === type) listener(event as EventOf<typeof type>)
      }
      listeners.add(listen)
      return () => void listeners.delete(listen)
    },
    setMicrophone: (on) => send({ type: 'microphone', on }),
    setCamera: (on) => send({ type: 'camera', on }),
    setScreen(on) {
      try {
        // The click in the page counts for the frame (Capability Delegation).
        send({ type: 'screen', on }, on ? { delegate: 'display-capture' } : {})
      } catch {
        // There was no click.
        send({ type: 'screen', on })
      }
    },
    setHand: (on) => send({ type: 'hand', on }),
    openPanel: (panel) => send({ type: 'panel', panel }),
    setLayout: (layout) => send({ type: 'layout', layout }),
    leave: () => send({ type: 'leave' }),
    remove() {
      removeEventListener('message', receive)
      frame.remove()
    },
  }
}
