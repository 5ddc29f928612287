import { advancedOptionDefaults, createMeeting } from '@parley/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ownTimeZoneName } from '../../session/own-time-zone.ts'
import { usePerson } from '../../session/session.ts'
import { randomKey } from '../../ui/random-key.ts'
import { readClockMs } from '../../ui/use-now.ts'
import { writeName } from '../standing.ts'

/** Long enough for most talks; whoever is still inside then stays inside. */
const durationMs = 60 * 60_000

/** Makes a meeting that begins at once, and leads to its door, where its host chooses camera and microphone. */
export function useStartNow() {
  const { t } = useTranslation('meetings')
  const person = usePerson()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => {
      const nowMs = readClockMs()
      const name = writeName({ name: person.name })
      return client.call(createMeeting, {
        query: { sendUpdates: 'none' },
        idempotencyKey: randomKey(),
        body: {
          topic: name === '' ? t('actions.topicOfAnybody') : t('actions.topic', { name }),
          description: '',
          startTime: new Date(nowMs).toISOString(),
          endTime: new Date(nowMs + durationMs).toISOString(),
          participants: [],
          isPinEnabled: true,
          advancedOptions: advancedOptionDefaults,
          repeatOptions: { repeat: 'none', timeZone: ownTimeZoneName() },
        },
      })
    },
    onSuccess: async ({ meetingDetails: { svcMeetId, pin } }) => {
      void queryClient.invalidateQueries({ queryKey: ['meetings'] })
      await navigate({ to: '/j/$code', params: { code: svcMeetId }, hash: `pin=${pin}` })
    },
  })
}
