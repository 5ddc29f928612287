import { Radio, Stack } from '@mantine/core'
import { listAttendance } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'

/** People come and go while the dialog is open. */
const readEveryMs = 5_000

/** The number of people in the meeting's room now; 0 also for administrators, who may not see who is inside. */
export function usePeopleInside(meetingId: string): number {
  const { data } = useQuery({
    queryKey: ['meetings', 'one', meetingId, 'inside'],
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: readEveryMs,
    queryFn: async () => {
      const { sessions } = await client.call(listAttendance, { params: { meetingId }, query: { limit: 1 } })
      return sessions.flatMap(({ stays }) => stays).filter(({ leftOn }) => leftOn === null).length
    },
  })
  return data ?? 0
}

type RunningCallProps = { people: number; endsCall: boolean; onChange(endsCall: boolean): void }

/** The choice whether the call in progress is ended with its meeting. */
export function RunningCall({ people, endsCall, onChange }: RunningCallProps) {
  const { t } = useTranslation('schedule')
  return (
    <Radio.Group
      label={t('cancel.inside', { count: people })}
      value={endsCall ? 'end' : 'keep'}
      onChange={(choice) => onChange(choice === 'end')}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="keep" label={t('cancel.keepCall')} description={t('cancel.keepCallHint')} />
        <Radio value="end" label={t('cancel.endCall')} description={t('cancel.endCallHint')} />
      </Stack>
    </Radio.Group>
  )
}
