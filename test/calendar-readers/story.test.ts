import { test } from 'node:test'
import { startMailServer } from '../helpers/mail-server.ts'
import { icalJs } from './occurrence-readers.ts'
import { runOccurrenceStory } from './occurrence-story.ts'
import { runStory } from './story.ts'

/** SHOW_STORY=1 prints what the guest's calendar shows after each step. */
const show = process.env.SHOW_STORY === '1' ? (text: string) => console.log(text) : undefined

test('a calendar that receives only one guest’s mails shows the right dates after each step (smtp-server)', async (context) => {
  await runStory(context, await startMailServer(context), show)
})

test('a calendar that receives only one guest’s mails shows changed, cancelled and restored dates (smtp-server)', async (context) => {
  await runOccurrenceStory(context, await startMailServer(context), [icalJs], show)
})
