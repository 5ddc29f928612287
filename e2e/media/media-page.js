// The page of the media tests: unmodified livekit-client with functions for the tests.
const { Room, RoomEvent, Track } = globalThis.LivekitClient

const room = new Room({ adaptiveStream: false, dynacast: true })
const events = []
for (const event of Object.values(RoomEvent)) room.on(event, () => events.push(event))
const messages = []
room.on(RoomEvent.DataReceived, (payload, from, kind, topic) =>
  messages.push({ text: new TextDecoder().decode(payload), from: from?.identity, kind, topic }),
)
const left = []
room.on(RoomEvent.Disconnected, (reason) => left.push(reason))
room.on(RoomEvent.TrackSubscribed, (track) => document.body.append(track.attach()))
room.on(RoomEvent.TrackUnsubscribed, (track) => {
  for (const element of track.detach()) element.remove()
})

const trackOf = (identity, source) => room.remoteParticipants.get(identity)?.getTrackPublication(source)?.track

/** What has been received of a track so far; zero for a missing track. */
async function received(identity, source) {
  const stats = await trackOf(identity, source)?.getRTCStatsReport()
  const found = [...(stats?.values() ?? [])].find(({ type }) => type === 'inbound-rtp')
  const { framesDecoded = 0, totalAudioEnergy = 0, packetsReceived = 0, frameWidth = 0 } = found ?? {}
  const { estimatedPlayoutTimestamp = 0, codecId } = found ?? {}
  const codec = stats?.get(codecId)?.mimeType ?? ''
  return { framesDecoded, totalAudioEnergy, packetsReceived, frameWidth, estimatedPlayoutTimestamp, codec }
}

/** What this page sends of one layer of its camera in one second. */
async function sent(rid) {
  const { sender } = room.localParticipant.getTrackPublication(Track.Source.Camera).track
  const octets = async () => {
    const all = [...(await sender.getStats()).values()]
    return all.find((one) => one.type === 'outbound-rtp' && one.rid === rid)?.bytesSent ?? 0
  }
  const before = await octets()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  return { bitsPerSecond: ((await octets()) - before) * 8 }
}

/** The number of different colours in the displayed frame. */
function colours(identity, source) {
  const [video] = trackOf(identity, source)?.attachedElements ?? []
  if (video === undefined || video.videoWidth === 0) return 0
  const canvas = new OffscreenCanvas(64, 36)
  const context = canvas.getContext('2d')
  context.drawImage(video, 0, 0, 64, 36)
  return new Set(new Uint32Array(context.getImageData(0, 0, 64, 36).data.buffer)).size
}

globalThis.media = { room, events, messages, left, received, sent, colours }
