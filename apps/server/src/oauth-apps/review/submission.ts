import type { Tx } from '../../platform/database/database.ts'
import { type AppChange, recordAppChange } from '../app-audit.ts'
import { updateApp } from '../app-store.ts'
import type { Examination } from '../page-checks/examine-app.ts'
import { insertReviewLine } from '../review-store.ts'
import { recordFindings } from './revision-store.ts'

type Submission = Omit<AppChange, 'action' | 'detail' | 'event'> & {
  revision: number
  findings: Examination
  /** The developer's answer to the reasons of the previous decision. */
  answer: string | undefined
  /** The time of the app's first submission, which opens its sandbox. */
  submittedAt: Date | null
}

/** Submit a revision for review, in the transaction that wrote it. The app's row is locked. */
export async function recordSubmission(
  tx: Tx,
  { revision, findings, answer = '', submittedAt, ...change }: Submission,
) {
  const { app, caller, now, random } = change
  await recordFindings(tx, app.id, revision, findings, now)
  await updateApp(tx, app.id, {
    status: 'under_review',
    draftRevision: revision,
    submittedAt: submittedAt ?? now,
    modifiedAt: now,
  })
  const line = { appId: app.id, revision, decidedBy: caller.accountId, now, random }
  await insertReviewLine(tx, { ...line, decision: 'submitted', reasons: [], answer: answer.trim() })
  await recordAppChange(tx, {
    ...change,
    action: 'app.submitted',
    detail: { revision },
    event: { kind: 'app_submitted', cause: `Revision ${revision} was submitted for review.` },
  })
}
