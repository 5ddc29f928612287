import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'

type DuplicateButtonProps = { meetingId: string; label: string; isMain?: boolean }

/** Open the form of a new meeting, filled with a copy of this one. */
export function DuplicateButton({ meetingId, label, isMain = false }: DuplicateButtonProps) {
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      renderRoot={(props) => <Link to="/meetings/new" search={{ copy: meetingId }} {...props} />}
    >
      {label}
    </Button>
  )
}
