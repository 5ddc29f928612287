import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accountName } from '../account-name.ts'
import { foundAccountsQuery } from '../account-queries.ts'

/** Delay between the last keystroke and the request. */
const pauseMs = 300

type PersonFieldProps = {
  label: string
  /** An account id; undefined for all accounts. */
  value: string | undefined
  /** Accounts whose names are known already, by id: those of the entries on the page. */
  known: ReadonlyMap<string, string>
  onChange(userId: string | undefined): void
}

/** Choose an account by a part of its name or address. */
export function PersonField({ label, value, known, onChange }: PersonFieldProps) {
  const { t } = useTranslation(['administration', 'app'])
  const [words, setWords] = useState('')
  const chosen = value === undefined ? undefined : (known.get(value) ?? t('log.chosen'))
  // The field writes the chosen name into its input; that is not a search.
  const [query] = useDebouncedValue(words === chosen ? '' : words, pauseMs)
  const { data: found = [] } = useQuery({ ...foundAccountsQuery(query.trim()), placeholderData: keepPreviousData })
  const options = found.map((account) => ({ value: account._id, label: `${accountName(account)} (${account.email})` }))
  const missing = value !== undefined && options.every((option) => option.value !== value)
  return (
    <Select
      label={label}
      placeholder={t('app:everyone')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('log.clear', { label }) }}
      nothingFoundMessage={t('log.noAccount')}
      // The service has filtered already, by more than the label.
      filter={({ options: all }) => all}
      data={missing ? [{ value, label: chosen ?? '' }, ...options] : options}
      value={value ?? null}
      onSearchChange={setWords}
      onChange={(userId) => onChange(userId ?? undefined)}
      flex="1 1 10rem"
    />
  )
}
