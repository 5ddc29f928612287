import { Button, Group } from '@mantine/core'
import { IconCalendar, IconCalendarOff, IconMailCheck, IconSearchOff } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/Rows.tsx'
import { ScheduleButton } from '../MeetingButtons.tsx'
import { type ListName, listNames, type MeetingSearch, withList } from '../search-params.ts'
import { foundQuery } from './list-queries.ts'

type NoMeetingsProps = { search: MeetingSearch; onSearch(search: MeetingSearch): void }

const icons = {
  ahead: IconCalendar,
  invitations: IconMailCheck,
  past: IconCalendar,
  cancelled: IconCalendarOff,
}

/** Why the list is empty, and what to do about it. */
export function NoMeetings({ search, onSearch }: NoMeetingsProps) {
  const { t } = useTranslation('meetings')
  const { when: list = 'ahead', q, role } = search
  if (q !== undefined || role !== undefined) return <NothingFound search={search} onSearch={onSearch} />
  const Icon = icons[list]
  return (
    <EmptyState
      icon={<Icon size={40} />}
      title={t(`none.${list}`)}
      explanation={t(`noneExplanation.${list}`)}
      action={list === 'ahead' ? <ScheduleButton /> : undefined}
    />
  )
}

/** Links to the lists in which the same search finds something. */
function NothingFound({ search, onSearch }: NoMeetingsProps) {
  const { t, i18n } = useTranslation(['meetings', 'app'])
  const others = listNames.filter((list) => list !== (search.when ?? 'ahead'))
  const found = useQueries({ queries: others.map((list) => foundQuery(withList(search, list))) })
  // A page that has found nothing yet, and goes on, has no number.
  const describe = (list: ListName, { count, isMore }: { count: number; isMore: boolean }) => {
    const number = `${new Intl.NumberFormat(i18n.language).format(count)}${isMore ? '+' : ''}`
    return count === 0 ? t(`filter.${list}`) : t('filter.elsewhere', { number, list: t(`filter.${list}`) })
  }
  const elsewhere = others.flatMap((list: ListName, index) => {
    const page = found[index]?.data
    return page === undefined || (page.count === 0 && !page.isMore) ? [] : [{ list, text: describe(list, page) }]
  })
  return (
    <EmptyState
      icon={<IconSearchOff size={40} />}
      title={t('noMatch')}
      explanation={t('noMatchExplanation')}
      action={
        <Group gap="xs" justify="center">
          {elsewhere.map(({ list, text }) => (
            <Button key={list} onClick={() => onSearch(withList(search, list))}>
              {text}
            </Button>
          ))}
          <Button variant="default" onClick={() => onSearch(withList({}, search.when ?? 'ahead'))}>
            {t('app:clearFilters')}
          </Button>
        </Group>
      }
    />
  )
}
