import { Menu } from '@mantine/core'
import type { OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { useNavigate } from '@tanstack/react-router'
import { useSplitsAt } from './use-splits-at.ts'

type SplitMenuItemProps = { meeting: SingleMeetingReply; occurrence: OccurrenceReply; label: string }

/**
 * Open the form of this and all following dates. Disabled for the first date, from which the whole series is edited.
 */
export function SplitMenuItem({ meeting, occurrence, label }: SplitMenuItemProps) {
  const navigate = useNavigate()
  const isSplittable = useSplitsAt(meeting, occurrence)
  const search = { from: occurrence.originalStartTime }
  const edit = { to: '/meetings/$meetingId/edit', params: { meetingId: meeting._id }, search } as const
  return (
    <Menu.Item disabled={!isSplittable} onClick={() => void navigate(edit)}>
      {label}
    </Menu.Item>
  )
}
