import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../ui/keyboard/commands.ts'

/**
 * Single-key shortcuts of the list, the same as in mail programs and issue trackers: N for a new meeting, / to search.
 */
export function useListCommands(search: RefObject<HTMLInputElement | null>, hasSearch: boolean): void {
  const { t } = useTranslation(['meetings', 'app'])
  const navigate = useNavigate()
  useCommands(
    useMemo(
      () => [
        {
          id: 'do-schedule',
          label: t('app:commands.schedule'),
          keys: 'n',
          run: () => void navigate({ to: '/meetings/new' }),
        },
        ...(hasSearch
          ? [{ id: 'meetings-search', label: t('filter.search'), keys: '/', run: () => search.current?.focus() }]
          : []),
      ],
      [t, navigate, search, hasSearch],
    ),
  )
}
