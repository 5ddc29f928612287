import { Text } from '@mantine/core'
import type { OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { useTranslation } from 'react-i18next'
import { invitedPeople } from '../invitation/invitation-answers.ts'
import { writeName } from '../meeting-status.ts'
import classes from './DateAnswers.module.css'
import { shownCounts } from './shown-counts.ts'

type DateAnswerCountsProps = { meeting: SingleMeetingReply; occurrence: OccurrenceReply }

/**
 * To hosts: how many come on one date, and who answered about it apart from the series. The API returns it to hosts
 * only.
 */
export function DateAnswerCounts({ meeting, occurrence }: DateAnswerCountsProps) {
  const { t, i18n } = useTranslation('meeting')
  const { responseCounts, responses = [] } = occurrence
  if (responseCounts === undefined) return null
  const counts = shownCounts(responseCounts).map(({ answer, count }) => t(`people.counts.${answer}`, { count }))
  if (counts.length === 0) return null
  const names = new Map(invitedPeople(meeting).map((person) => [addressKey(person.email), writeName(person)]))
  const nameOf = (email: string) => names.get(addressKey(email)) || email
  return (
    <div className={classes.counts}>
      <Text size="sm" c="dimmed">
        {new Intl.ListFormat(i18n.language, { type: 'unit', style: 'long' }).format(counts)}
      </Text>
      {responses.length > 0 && (
        <details>
          <summary className={classes.summary}>{t('people.apart', { count: responses.length })}</summary>
          <ul className={classes.responses}>
            {responses.map(({ email, response, comment }) => (
              <li key={email}>
                <Text size="sm" className={classes.text}>
                  <bdi>{nameOf(email)}</bdi>: {t(`people.answers.${response}`)}
                </Text>
                {comment !== undefined && (
                  <Text size="sm" c="dimmed" className={classes.text} dir="auto">
                    {comment}
                  </Text>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
