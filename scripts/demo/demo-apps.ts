import {
  type AppRequest,
  type BodyOf,
  createSecret,
  decideReview,
  editApp,
  readReview,
  replaceTesters,
  submitApp,
  suspendApp,
} from '@parley/contract'
import { type DemoPeople, emailOf } from './people.ts'

type Verdict = BodyOf<typeof decideReview>

/** Create an app of Dan's in every possible state. */
export async function makeApps({ olga, rita, dan }: DemoPeople): Promise<void> {
  const register = async (name: string, changes: Partial<AppRequest>): Promise<string> => {
    const { _id } = await dan.client.call(submitApp, { body: { ...appOf(name), ...changes } })
    return _id
  }
  const decide = async (appId: string, body: Verdict) => {
    await rita.client.call(readReview, { params: { appId } })
    await rita.client.call(decideReview, { params: { appId }, body })
  }
  const approved = { decision: 'approved' } as const

  const calendar = await register('Acme Calendar', {
    description: 'Shows your meetings beside everything else that you have planned.',
    scopes: ['user:read', 'meeting:read', 'meeting:create'],
  })
  await decide(calendar, approved)
  await dan.client.call(createSecret, { params: { appId: calendar }, body: { name: 'Backend' } })

  const notes = await register('Meeting Notes', { useCase: 'productivity', scopes: ['user:read', 'meeting:read'] })
  await decide(notes, approved)
  // The live revision stays live while the next one is under review.
  const more = {
    ...appOf('Meeting Notes'),
    useCase: 'productivity',
    scopes: ['user:read', 'meeting:read', 'meeting:join'],
  }
  await dan.client.call(editApp, { params: { appId: notes }, body: more })

  const desk = await register('Support Desk', {
    useCase: 'support',
    callbackUrls: ['http://desk.example.com/callback'],
  })
  await dan.client.call(replaceTesters, { params: { appId: desk }, body: { testers: [emailOf('bob')] } })
  await dan.client.call(createSecret, { params: { appId: desk }, body: { name: 'Laptop', sandbox: true } })

  const clinic = await register('Clinic Rooms', { useCase: 'telehealth', scopes: ['user:read', 'meeting:delete'] })
  const why = 'What does a waiting room need to delete meetings for?'
  const unclear = [{ code: 'scopes_not_justified' as const, field: 'scopes', text: why }]
  await decide(clinic, { decision: 'on_hold', reasons: unclear })

  const prizes = await register('Prize Draw', { useCase: 'other' })
  const misleading = [
    { code: 'misleading' as const, field: 'name', text: 'People would not know what they let it do.' },
  ]
  await decide(prizes, { decision: 'rejected', reasons: misleading })

  const sync = await register('Quick Sync', { useCase: 'crm' })
  await decide(sync, approved)
  const found = [{ code: 'suspicious_url' as const, field: 'homepageUrl', text: 'The domain has changed hands.' }]
  await olga.client.call(suspendApp, { params: { appId: sync }, body: { reasons: found } })

  await register('Board Games', { useCase: 'chat', draft: true })
}

function appOf(name: string): AppRequest {
  const site = `https://${name.toLowerCase().replaceAll(' ', '-')}.example.com`
  return {
    name,
    homepageUrl: `${site}/`,
    policyUrl: `${site}/privacy`,
    logoUrl: `${site}/logo.png`,
    useCase: 'scheduling',
    description: '',
    callbackUrls: [`${site}/callback`],
    scopes: ['user:read', 'meeting:read'],
  }
}
