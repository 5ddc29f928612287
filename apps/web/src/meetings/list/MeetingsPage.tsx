import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../ui/Page.tsx'
import { anyMeetingQuery, handOversQuery } from '../meeting-queries.ts'
import { ScheduleButton } from '../ScheduleButton.tsx'
import { MeetingFilters } from './MeetingFilters.tsx'
import { MeetingList } from './MeetingList.tsx'
import classes from './MeetingsPage.module.css'
import type { MeetingSearch } from './meeting-search.ts'
import { NextMeeting } from './NextMeeting.tsx'
import { useListCommands } from './use-list-commands.ts'

const StartActions = lazy(async () => ({ default: (await import('../start/StartActions.tsx')).StartActions }))
const HandOvers = lazy(async () => ({ default: (await import('./HandOvers.tsx')).HandOvers }))

/** The start page: actions to start and join, the next meeting, and all meetings. */
export function MeetingsPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/house/meetings' })
  const navigate = useNavigate({ from: '/meetings' })
  const narrow = (to: MeetingSearch) => void navigate({ search: to, replace: true })
  const { data: first } = useQuery(anyMeetingQuery)
  const { data: offered } = useQuery(handOversQuery)
  // An account without meetings sees how to create one instead of a search.
  const fresh = first?.totalCount === 0
  const searchRef = useRef<HTMLInputElement>(null)
  useListCommands(searchRef, !fresh)
  return (
    <Page title={t('navigation.pages.meetings')} actions={<ScheduleButton />}>
      <div className={classes.start}>
        <Suspense fallback={null}>
          <StartActions />
        </Suspense>
      </div>
      {(offered?.length ?? 0) > 0 && (
        <Suspense fallback={null}>
          <HandOvers />
        </Suspense>
      )}
      {!fresh && <NextMeeting />}
      {!fresh && <MeetingFilters search={search} searchRef={searchRef} onChange={narrow} />}
      <MeetingList search={search} onClear={() => narrow({})} />
    </Page>
  )
}
