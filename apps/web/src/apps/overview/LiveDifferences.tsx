import { Table, Text } from '@mantine/core'
import type { App } from '@parley/contract'
import { differencesBetween } from '@parley/rules/oauth-apps/app-revision'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import { liveAppQuery } from '../app-queries.ts'
import { fieldsOfApp } from '../form/app-values.ts'
import classes from './Overview.module.css'
import { fieldWords } from './StatusSummary.tsx'

/** The live values that differ from the pending revision. */
export function LiveDifferences({ app }: { app: App }) {
  const { t } = useTranslation('apps')
  const { data: live } = useQuery(liveAppQuery(app._id))
  if (live === undefined) return null
  const words = (value: string) => (value === 'true' ? t('facts.on') : value === 'false' ? t('facts.off') : value)
  return (
    <Section title={t('beside.title')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('beside.explanation')}
      </Text>
      <Table verticalSpacing="sm" layout="fixed" className={classes.compared}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('beside.field')}</Table.Th>
            <Table.Th scope="col">{t('beside.live', { revision: live.liveRevision })}</Table.Th>
            <Table.Th scope="col">{t('beside.draft', { revision: app.draftRevision })}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differencesBetween(fieldsOfApp(live), fieldsOfApp(app)).map(({ field, before, after }) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">{fieldWords(field, t)}</Table.Th>
              <Table.Td>{before.map(words).join('\n')}</Table.Td>
              <Table.Td>{after.map(words).join('\n')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}
