import { useNavigate, useSearch } from '@tanstack/react-router'

/** Keep a date open whose start has changed: the page's address names it by its start. */
export function useFollowDate(): (from: string, to: string) => Promise<void> {
  const navigate = useNavigate()
  const { date } = useSearch({ strict: false })
  return async (from, to) => {
    if (date !== from || from === to) return
    await navigate({ to: '.', search: (search) => ({ ...search, date: to }), replace: true })
  }
}
