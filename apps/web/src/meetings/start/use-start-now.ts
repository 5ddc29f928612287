import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../../session/session.ts'
import { writeName } from '../standing.ts'

/** Makes a meeting that begins at once, and leads to its door, where its host chooses camera and microphone. */
export function useStartNow() {
  const { t } = useTranslation('meetings')
  const person = usePerson()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const name = writeName({ name: person.name })
      // What it takes is fetched by those who press the button, not by everybody who reads the list.
      const { startMeeting } = await import('./start-meeting.ts')
      return startMeeting(name === '' ? t('actions.topicOfAnybody') : t('actions.topic', { name }))
    },
    onSuccess: async ({ svcMeetId, pin }) => {
      void queryClient.invalidateQueries({ queryKey: ['meetings'] })
      await navigate({ to: '/j/$code', params: { code: svcMeetId }, hash: `pin=${pin}` })
    },
  })
}
