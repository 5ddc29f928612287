import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { datesBeforeQuery } from './dates-before-query.ts'
import { SplitSeriesForm } from './SplitSeriesForm.tsx'

type SplitSeriesPartProps = { meeting: SingleMeetingReply; etag: string; occurrence: string }

/** The form of this and all following dates, once it is known how many dates the series has before. */
export function SplitSeriesPart({ meeting, etag, occurrence }: SplitSeriesPartProps) {
  const { data, error } = useQuery(datesBeforeQuery(meeting, occurrence))
  if (data === undefined) return error === null ? <PageSkeleton /> : <ProblemAlert error={error} />
  return <SplitSeriesForm meeting={meeting} etag={etag} occurrence={occurrence} countBefore={data.count} />
}
