import { join, type Participant, type Room, type RoomSnapshot, type RoomTrack } from '@parley/client/join'

const form = find(HTMLFormElement, 'form')
const statusText = find(HTMLElement, '[role=status]')
const people = find(HTMLElement, '#people')
const answered = await fetch('/settings')
field('base').value = (await answered.json()).parley

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const [base, svcMeetId, pin, token] = ['base', 'svcMeetId', 'pin', 'token'].map((name) => field(name).value.trim())
  try {
    enter({ base, svcMeetId, pin, token })
  } catch (error) {
    // The address is none.
    statusText.textContent = messageOf(error)
  }
})

function enter({ base = '', svcMeetId = '', pin = '', token = '' }) {
  const accessToken = token === '' ? freshToken : token
  const room = join({ base, svcMeetId, pin, accessToken })
  room.subscribe(() => show(room.snapshot()))
  serveButtons(room)
}

/** The app's own server keeps the tokens and renews them. */
async function freshToken(): Promise<string> {
  const response = await fetch('/token', { method: 'POST' })
  if (!response.ok) throw new Error('No user has signed in.')
  return (await response.json()).accessToken
}

function show({ status, me, others }: RoomSnapshot) {
  statusText.textContent = describeState(status)
  const everyone = me === null ? others : [me, ...others]
  for (const [id, figure] of figures) {
    if (everyone.some((person) => person.id === id)) continue
    figure.element.remove()
    figures.delete(id)
  }
  for (const person of everyone) showPerson(person)
}

function describeState(status: RoomSnapshot['status']): string {
  if (status.phase === 'requesting' && status.failing !== undefined)
    return `Attempt ${status.failing.attempts} failed: ${messageOf(status.failing.error)}`
  if (status.phase !== 'over') return `You are ${status.phase}.`
  const { end } = status
  if (end.reason === 'refused') return `You were refused: ${end.state}.`
  if (end.reason === 'failed') return `It failed: ${end.problem.detail}`
  return `It is over: ${end.reason}.`
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

type Figure = { element: HTMLElement; caption: HTMLElement; video: HTMLVideoElement; audio: HTMLAudioElement }
const figures = new Map<string, Figure>()

function showPerson({ id, name, isMe, muted, camera, screen, microphone }: Participant) {
  const figure = figures.get(id) ?? makeFigure()
  figures.set(id, figure)
  figure.caption.textContent = `${name}${isMe ? ' (you)' : ''}${muted ? ', muted' : ''}`
  play(figure.video, screen ?? camera)
  // Participants do not hear themselves.
  play(figure.audio, isMe ? null : microphone)
}

const playing = new WeakMap<HTMLMediaElement, { track: RoomTrack; stop(): void }>()

/** The object is the same as long as the track is. */
function play(element: HTMLMediaElement, track: RoomTrack | null) {
  const now = playing.get(element)
  if (now?.track === track) return
  now?.stop()
  playing.delete(element)
  if (track !== null) playing.set(element, { track, stop: track.attach(element) })
}

function makeFigure(): Figure {
  const element = document.createElement('figure')
  const caption = document.createElement('figcaption')
  const video = document.createElement('video')
  const audio = document.createElement('audio')
  video.playsInline = true
  element.append(video, audio, caption)
  people.append(element)
  return { element, caption, video, audio }
}

function serveButtons(room: Room) {
  const onClick = (name: string, action: () => Promise<void>) => {
    find(HTMLButtonElement, `#${name}`).onclick = () => action().catch(showError)
  }
  onClick('microphone', () => room.setMicrophone(room.snapshot().me?.muted === true))
  onClick('camera', () => room.setCamera(room.snapshot().me?.camera === null))
  onClick('leave', () => room.leave())
}

function showError(error: unknown) {
  statusText.textContent = messageOf(error)
}

function field(name: string): HTMLInputElement {
  return find(HTMLInputElement, `input[name=${name}]`)
}

function find<Kind extends Element>(kind: new () => Kind, selector: string): Kind {
  const found = document.querySelector(selector)
  if (!(found instanceof kind)) throw new Error(`The page lacks ${selector}`)
  return found
}
