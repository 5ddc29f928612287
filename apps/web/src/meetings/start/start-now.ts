import type { QueryClient } from '@tanstack/react-query'
import type { UseNavigateResult } from '@tanstack/react-router'
import { i18n, loadTexts } from '../../texts/i18n.ts'
import { writeName } from '../meeting-status.ts'
import { startMeeting } from './start-meeting.ts'

type StartNow = { name: string; navigate: UseNavigateResult<string>; queryClient: QueryClient }

/** Create a meeting that begins now, and open its join page, where the host chooses camera and microphone. */
export async function startNow({ name, navigate, queryClient }: StartNow): Promise<void> {
  await loadTexts('meetings')
  const t = i18n.getFixedT(i18n.language, 'meetings')
  const written = writeName({ name })
  const topic = written === '' ? t('actions.topicWithoutName') : t('actions.topic', { name: written })
  const { svcMeetId, pin } = await startMeeting(topic)
  void queryClient.invalidateQueries({ queryKey: ['meetings'] })
  await navigate({ to: '/j/$code', params: { code: svcMeetId }, hash: `pin=${pin}` })
}
