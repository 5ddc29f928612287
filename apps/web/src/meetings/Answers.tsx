import { Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { type InvitationResponse, invitationResponses } from '@parley/contract'
import { IconCheck, IconQuestionMark, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './Answers.module.css'
import type { ShownCount } from './invitation-answers.ts'

/** The answers to invitations, in the same words, signs and colours on every page. */

type Answer = InvitationResponse | 'none'

const signs = { accepted: IconCheck, tentative: IconQuestionMark, declined: IconX }

/** One person's answer as a coloured word. */
export function AnswerChip({ answer = 'none' }: { answer?: Answer | undefined }) {
  const { t } = useTranslation('meetings')
  const Sign = answer === 'none' ? undefined : signs[answer]
  return (
    <span className={classes.chip} data-answer={answer}>
      {Sign !== undefined && <Sign size={14} aria-hidden />}
      {t(`answers.${answer}`)}
    </span>
  )
}

type AnswerButtonsProps = {
  /** What is asked, for screen readers. */
  label: string
  answer: InvitationResponse | undefined
  onAnswer(response: InvitationResponse): void
  /** One of several in a list. */
  isCompact?: boolean
}

/** Answer with yes, maybe or no. */
export function AnswerButtons({ label, answer, onAnswer, isCompact = false }: AnswerButtonsProps) {
  const { t } = useTranslation('meetings')
  return (
    <Group gap={4} wrap="nowrap" role="group" aria-label={label}>
      {invitationResponses.map((response) => (
        <Button
          key={response}
          className={classes.button}
          size={isCompact ? 'compact-sm' : 'sm'}
          variant={answer === response ? 'filled' : 'default'}
          aria-pressed={answer === response}
          onClick={() => onAnswer(response)}
        >
          {t(`answers.${response}`)}
        </Button>
      ))}
    </Group>
  )
}

/** "3 yes, 1 no, 2 have not answered" */
function useCountsInWords(counts: readonly ShownCount[]): string {
  const { t, i18n } = useTranslation('meetings')
  const texts = counts.map(({ answer, count }) => t(`answers.counts.${answer}`, { count }))
  return new Intl.ListFormat(i18n.language, { type: 'unit', style: 'long' }).format(texts)
}

/** How many have given which answer: a bar, and the numbers in words. */
export function AnswerBar({ counts }: { counts: readonly ShownCount[] }) {
  const words = useCountsInWords(counts)
  if (counts.length === 0) return null
  return (
    <div>
      <div className={classes.bar} aria-hidden>
        {counts.map(({ answer, count }) => (
          <span key={answer} className={classes.part} data-answer={answer} style={{ flexGrow: count }} />
        ))}
      </div>
      <Text size="sm" c="dimmed" mt={6}>
        {words}
      </Text>
    </div>
  )
}

/** How many have given which answer, in the width of a column. Nothing before the first answer. */
export function AnswerMarks({ counts }: { counts: readonly ShownCount[] }) {
  const words = useCountsInWords(counts)
  const answered = counts.filter(({ answer }) => answer !== 'none')
  if (answered.length === 0) return null
  return (
    <span className={classes.marks} title={words}>
      <VisuallyHidden>{words}</VisuallyHidden>
      {answered.map(({ answer, count }) => (
        <CountMark key={answer} answer={answer} count={count} />
      ))}
    </span>
  )
}

function CountMark({ answer, count }: ShownCount) {
  const { i18n } = useTranslation()
  const Sign = answer === 'none' ? IconQuestionMark : signs[answer]
  return (
    <span className={classes.mark} data-answer={answer} aria-hidden>
      <Sign size={14} />
      {new Intl.NumberFormat(i18n.language).format(count)}
    </span>
  )
}
