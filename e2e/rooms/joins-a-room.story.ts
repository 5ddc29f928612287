import { test } from 'node:test'
import { meetPeople } from '../../apps/server/test/people.ts'
import { perceives } from '../media/perception.ts'
import { startRoomStory } from './start-room-story.ts'

const story = await startRoomStory()
const { alice, bob } = await meetPeople(story.app)

test('two people see and hear each other; a third who joins later sees both, and a shared screen', async () => {
  const meeting = await story.startMeeting(alice)
  const { page: a } = await story.openMeeting(meeting, alice)
  await a.getByRole('button', { name: 'Join now' }).click()
  const { page: b } = await story.openMeeting(meeting, bob)
  await b.getByRole('button', { name: 'Join now' }).click()
  await perceives(a, { pictures: 1, voices: 1 })
  await perceives(b, { pictures: 1, voices: 1 })

  await b.getByRole('button', { name: 'Share screen' }).click()
  await perceives(a, { pictures: 2, voices: 1 })

  const { page: c } = await story.openMeeting(meeting, 'Gita')
  await c.getByText('In the meeting: Alice Test and Bob Test').waitFor()
  await c.getByRole('button', { name: 'Join now' }).click()
  await perceives(c, { pictures: 3, voices: 2 })
  await b.getByRole('button', { name: 'Stop sharing' }).first().click()
  await perceives(c, { pictures: 2, voices: 2 })
})
