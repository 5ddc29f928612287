import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { startMeeting } from '../meetings/meeting-mutations.ts'
import { writeName } from '../meetings/meeting-status.ts'
import { type Kept, keepChoice, keptChoice } from '../room/lobby/device-choice.ts'
import { keepDeviceState, keptDeviceState } from '../room/lobby/device-state.ts'
import { Lobby } from '../room/lobby/Lobby.tsx'
import { useLobbyDevices } from '../room/lobby/use-lobby-devices.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { usePerson } from '../session/session.ts'
import { useFrame } from '../ui/frame.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { PageTitle } from '../ui/Page.tsx'
import { joinAtOnce } from './join-at-once.ts'

/** In place of a meeting's code, for what this window keeps of its devices. */
const place = 'start'

/**
 * The lobby of a meeting that begins now. The meeting is created when its host joins: one that was created before would
 * stay for an hour in lists, calendars and the search for conflicts when the host leaves the lobby instead.
 */
export function StartPage() {
  const { t } = useTranslation('meetings')
  const { name, lname, email, meetingDefaults } = usePerson()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [kept] = useState(() => keptChoice(localStorage))
  const [left] = useState(() => keptDeviceState(sessionStorage, place))
  const start = useMutation({
    mutationFn: () => startMeeting(topic, meetingDefaults),
    onSuccess: async ({ svcMeetId, pin }) => {
      void queryClient.invalidateQueries({ queryKey: ['meetings'] })
      keepDeviceState(sessionStorage, svcMeetId, { microphone: devices.microphone.on, camera: devices.camera.on })
      joinAtOnce(queryClient, svcMeetId)
      // In place of this page: going back from the meeting must not lead to another one.
      await navigate({ to: '/j/$code', params: { code: svcMeetId }, hash: `pin=${pin}`, replace: true })
    },
  })
  const devices = useLobbyDevices({ start: undefined, kept, left, open: true, inLobby: start.isIdle })
  useFrame('wide')
  const written = writeName({ name })
  const topic = written === '' ? t('actions.topicWithoutName') : t('actions.topic', { name: written })
  const join = (chosen: Kept) => {
    keepChoice(localStorage, chosen)
    // A second click while the meeting is being created, or opened, creates no other one.
    if (start.isIdle || start.isError) start.mutate()
  }
  return (
    <Lobby
      heading={
        <>
          <PageTitle>{topic}</PageTitle>
          <ProblemAlert error={start.error} />
        </>
      }
      entering={{ state: 'admitted', role: 'host' }}
      accountName={writeName({ name, lname }) || email}
      devices={devices}
      keptName={kept.name}
      isBack={false}
      busy={start.isPending || start.isSuccess}
      onJoin={join}
    />
  )
}
