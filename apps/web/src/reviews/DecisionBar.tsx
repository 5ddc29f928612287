import { Button, Kbd, Text } from '@mantine/core'
import type { AppStatus, Decision } from '@parley/contract'
import { stateAfter } from '@parley/rules/oauth-apps/app-review'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useMail } from '../session/session.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { type Command, useCommands } from '../ui/keyboard/commands.ts'
import { RefuseDialog } from './RefuseDialog.tsx'
import classes from './Review.module.css'
import { type Review, reviewStatusOf } from './review-queries.ts'
import { isOvertaken, useDecision } from './use-decision.ts'

const decisions = [
  { decision: 'approved', step: 'approve', keys: 'a', color: 'accent' },
  { decision: 'rejected', step: 'reject', keys: 'r', color: 'red' },
  { decision: 'on_hold', step: 'hold', keys: 'h', color: 'gray' },
] as const

/** The decisions that the app's status allows, by button and by key; each asks for confirmation. */
const decisionsFrom = (status: AppStatus) => decisions.filter(({ step }) => stateAfter(status, step) !== undefined)

type DecisionBarProps = { review: Review; onOvertaken(error: unknown): void }

export function DecisionBar({ review, onOvertaken }: DecisionBarProps) {
  const { t } = useTranslation('reviews')
  const { mail } = useMail()
  const { app, registration, clientHost, checks, revision, mayDecide } = review
  const status = reviewStatusOf(review)
  const [pendingDecision, setPendingDecision] = useState<Decision>()
  const close = () => setPendingDecision(undefined)
  const mutation = useDecision(review, close)
  const { reset, error } = mutation
  useEffect(() => {
    if (isOvertaken(error)) onOvertaken(error)
  }, [error, onOvertaken])

  const commands = useMemo((): readonly Command[] => {
    const ask = (decision: Decision) => {
      reset()
      setPendingDecision(decision)
    }
    if (!mayDecide) return []
    return decisionsFrom(status).map(({ decision, keys }) => ({
      id: decision,
      label: t(`decide.${decision}`),
      keys,
      run: () => ask(decision),
    }))
  }, [t, status, mayDecide, reset])
  useCommands(commands)

  if (commands.length === 0) return null
  const failed = checks.filter(({ result }) => result === 'failed').length
  return (
    <section className={classes.bar} aria-label={t('decide.title')}>
      {decisionsFrom(status).map(({ decision, keys, color }) => (
        <Button
          key={decision}
          color={color}
          variant={decision === 'approved' ? 'filled' : 'outline'}
          rightSection={<Kbd className={classes.keys}>{keys}</Kbd>}
          onClick={() => commands.find(({ id }) => id === decision)?.run()}
        >
          {t(`decide.${decision}`)}
        </Button>
      ))}
      <ConfirmDialog
        opened={pendingDecision === 'approved'}
        title={t('ask.approved', { name: app.name })}
        confirm={t('decide.approved')}
        busy={mutation.isPending}
        onConfirm={() => mutation.mutate({ decision: 'approved', reasons: [] })}
        onClose={close}
      >
        <ProblemAlert error={isOvertaken(error) ? null : error} />
        <Text>
          {registration === 'portal'
            ? t(`ask.approvedExplanation.${mail}`, { revision })
            : t('client.approvedExplanation', { revision, host: clientHost ?? app.name })}
        </Text>
        {failed > 0 && (
          <Text mt="sm" c="var(--parley-danger)">
            {t('ask.failedChecks', { number: failed })}
          </Text>
        )}
      </ConfirmDialog>
      {(pendingDecision === 'rejected' || pendingDecision === 'on_hold') && (
        <RefuseDialog
          key={pendingDecision}
          review={review}
          decision={pendingDecision}
          mutation={mutation}
          onClose={close}
        />
      )}
    </section>
  )
}
