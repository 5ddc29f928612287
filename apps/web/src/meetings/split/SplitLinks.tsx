import { Anchor, Stack } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** Where the earlier and the later dates of a series are that was split; nothing for others. */
export function SplitLinks({ meeting: { continues, continuedBy } }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('occurrence')
  if (continues === null && continuedBy === null) return null
  const linkTo = (meetingId: string, label: string) => (
    <Anchor renderRoot={(props) => <Link to="/meetings/$meetingId" params={{ meetingId }} {...props} />}>
      {label}
    </Anchor>
  )
  return (
    <Stack gap={4} mt="xs" align="flex-start">
      {continues !== null && linkTo(continues, t('split.earlier'))}
      {continuedBy !== null && linkTo(continuedBy, t('split.later'))}
    </Stack>
  )
}
