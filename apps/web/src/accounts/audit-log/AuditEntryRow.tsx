import { Text } from '@mantine/core'
import type { AuditLogEntry } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import classes from '../../reviews/Review.module.css'
import { useDateFormat } from '../../ui/hooks/use-date-format.ts'
import { useActionWords } from './action-words.ts'
import { useAuditFacts } from './audit-facts.ts'

/** One entry: actor, action, target, time and address; details as recorded. */
export function AuditEntryRow({ entry }: { entry: AuditLogEntry }) {
  const { t } = useTranslation('administration')
  const { moment } = useDateFormat()
  const words = useActionWords()
  const factsOf = useAuditFacts()
  const { action, actor, subject, operator, address, happenedOn, detail } = entry
  const nameOf = (person: AuditLogEntry['actor']) =>
    person === null ? t(operator ? 'log.operator' : 'log.unknown') : person.name === '' ? person.email : person.name
  return (
    <li>
      <Text fw={600} size="sm">
        {words(action)}
      </Text>
      <Text size="sm">
        {subject === null || subject._id === actor?._id
          ? nameOf(actor)
          : t('log.onto', { actor: nameOf(actor), subject: nameOf(subject) })}
      </Text>
      {factsOf(entry).map((fact) => (
        <Text key={fact} size="sm" dir="auto" className={classes.fact}>
          {fact}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        <time dateTime={happenedOn}>{moment(happenedOn)}</time>
        {address !== '' && (
          <>
            {' · '}
            <bdi>{address}</bdi>
          </>
        )}
      </Text>
      {Object.keys(detail).length > 0 && (
        <details className={classes.passed}>
          <summary>{t('details')}</summary>
          <Text component="pre" size="sm" dir="ltr" className={classes.detail}>
            {JSON.stringify(detail, null, 2)}
          </Text>
        </details>
      )}
    </li>
  )
}
