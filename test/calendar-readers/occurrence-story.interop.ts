import { before, test } from 'node:test'
import { startMailServer } from '../helpers/mail-server.ts'
import { requireDebianReaders, startReaders } from './debian-readers.ts'
import { createKhal, createLibical, icalJs, requireCalendarPrograms, startRadicale } from './occurrence-readers.ts'
import { runOccurrenceStory } from './occurrence-story.ts'

/** npm run test:interop: Debian's calendar programs, installed by scripts/install-interop-tools.sh. */
before(async () => {
  await requireDebianReaders()
  await requireCalendarPrograms()
})

/** SHOW_STORY=1 prints what khal lists after each step. */
const show = process.env.SHOW_STORY === '1' ? (text: string) => console.log(text) : () => {}

test('Radicale, khal and libical show changed, cancelled and restored dates as the API does', async (context) => {
  await using debian = startReaders()
  const readers = [icalJs, createLibical(debian), await startRadicale(context), await createKhal(context, show)]
  await runOccurrenceStory(context, await startMailServer(context), readers)
})
