import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MuteTrackRequest, TrackSource, TrackType } from '@livekit/protocol'
import { expectOk } from '../replies.ts'
import { type EngineMeetings, show, speak, until } from './engine-meetings.ts'
import { as, enterAsGuest, watchAdmission } from './rooms.ts'

/** Clients that a host has muted send no audio, whatever they publish. */
export function defineMuteTests({
  app,
  alice,
  bob,
  carol,
  meet,
  connect,
  enterAndConnect,
  untilInside,
  inside,
  names,
  control,
  host,
}: EngineMeetings) {
  test('a muted participant sends no audio, raw packets included, and may unmute', async () => {
    const room = await meet()
    const alices = await enterAndConnect(room, as(alice))
    const bobs = await enterAndConnect(room, as(bob))
    const track = await speak(bobs.client, TrackSource.MICROPHONE)
    assert.ok(track)
    await expectOk(control(room, bobs.admissionId, 'mute'), 204)
    assert.equal((await bobs.client.take('mute')).muted, true)
    const muted = async () =>
      (await inside(room)).find(({ identity }) => identity === bobs.admissionId)?.tracks[0]?.muted
    assert.equal(await muted(), true)
    bobs.client.send({ case: 'mute', value: new MuteTrackRequest({ sid: track.sid, muted: false }) })
    await until(async () => (await muted()) === false)
    await expectOk(host(room, 'mute-all'), 204)
    assert.equal(await muted(), true)
    assert.ok((await names(room)).includes(alices.admissionId))
  })

  test('mute-all leaves hosts their microphones', async () => {
    const room = await meet({}, { cohosts: [carol.email] })
    const people = [
      await enterAndConnect(room, as(alice)),
      await enterAndConnect(room, as(carol)),
      await enterAndConnect(room, as(bob)),
    ]
    for (const { client } of people) assert.ok(await speak(client, TrackSource.MICROPHONE))
    await expectOk(host(room, 'mute-all', as(carol)), 204)
    const muted = new Map((await inside(room)).map(({ identity, tracks }) => [identity, tracks[0]?.muted]))
    assert.deepEqual(
      people.map(({ admissionId }) => muted.get(admissionId)),
      [false, false, true],
    )
  })

  test('a hard-muted participant sends no audio under any source until a host allows it', async () => {
    const room = await meet({ participantHardAudioMute: true })
    const alices = await enterAndConnect(room, as(alice))
    assert.ok(await speak(alices.client, TrackSource.MICROPHONE), 'the host speaks')
    const bobs = await enterAndConnect(room, as(bob))
    assert.equal(await speak(bobs.client, TrackSource.MICROPHONE), undefined)
    assert.equal(await speak(bobs.client, TrackSource.SCREEN_SHARE_AUDIO), undefined)
    const receivedAudio = async () =>
      (await inside(room))
        .filter(({ identity }) => identity === bobs.admissionId)
        .flatMap(({ tracks }) => tracks.filter(({ type }) => type === TrackType.AUDIO))
    assert.deepEqual(await receivedAudio(), [])
    assert.ok(await show(bobs.client), 'a picture is allowed')

    const page = await watchAdmission(app, room, bobs.admissionId, as(bob))
    assert.equal((await page.next()).hardMuted, true)
    await expectOk(control(room, bobs.admissionId, 'lift_hard_mute'), 204)
    assert.equal((await page.until(({ hardMuted }) => !hardMuted)).state, 'admitted')
    page.close()
    await until(async () => {
      const bob = (await inside(room)).find(({ identity }) => identity === bobs.admissionId)
      return bob?.permission?.canPublishSources.includes(TrackSource.MICROPHONE) === true
    })
    assert.ok(await speak(bobs.client, TrackSource.MICROPHONE), 'now they are heard')
  })

  test('a hard-muted participant who sends audio as video is disconnected', async () => {
    const room = await meet({ participantHardAudioMute: true })
    for (const source of [TrackSource.CAMERA, TrackSource.SCREEN_SHARE, TrackSource.UNKNOWN]) {
      const guest = await enterAsGuest(app, room, 'Trickster')
      assert.ok(guest.reply.media)
      const { client } = await connect(guest.reply.media)
      await untilInside(guest.admissionId)
      const track = await speak(client, source)
      if (track?.type === TrackType.AUDIO) await until(async () => !(await names(room)).includes(guest.admissionId))
      const audio = (await inside(room)).flatMap(({ tracks }) => tracks.filter(({ type }) => type === TrackType.AUDIO))
      assert.deepEqual(audio, [], TrackSource[source])
    }
  })
}
