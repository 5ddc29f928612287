import type { CheckResult } from '@parley/contract'
import type { Config } from '../../platform/config/config.ts'
import { FetchRefused } from '../../platform/outbound/fetch-refused.ts'
import { createGuardedFetch, type Fetched, type GuardedFetch } from '../../platform/outbound/guarded-fetch.ts'
import { timedOut, withTimeout } from '../../platform/with-timeout.ts'
import { type Logo, readLogo } from '../logo/logo-image.ts'
import { PictureRefused } from '../logo/picture-bytes.ts'
import { type HostChecker, type HostFinding, hostListChecker, readBlocklist } from './blocklist.ts'

/** What the pre-checks look at: the pages that a revision names. */
export type CheckedRevision = {
  name: string
  homepageUrl: string
  policyUrl: string
  logoUrl: string
  callbackUrls: readonly string[]
}

export type PageFindings = {
  checks: CheckResult[]
  /** The picture at `logoUrl`, when there is one that can be shown from our origin. */
  logo?: { mediaType: string; bytes: Buffer }
}

/**
 * Looks at the pages of a revision (oauth.md 4). What is wrong with a page is a result, never an error: a developer's
 * slow server must not refuse a submission. Called outside any transaction; ends by itself within some seconds.
 */
export type PageChecks = (revision: CheckedRevision) => Promise<PageFindings>

export type PageCheckOptions = {
  /** Undefined when the operator has switched fetches off (APP_CHECKS): addresses are judged, and nothing leaves the house. */
  fetch: GuardedFetch | undefined
  /** Asked about every host that an address of the app names or leads to. What denies counts most, then what comes first. */
  hostCheckers: readonly HostChecker[]
}

type Page = { field: string; address: string }

/** How long somebody else's checker may think about a host; together with a fetch it stays within some six seconds. */
const checkerLimitMs = 1_000

const pictureTypes = 'image/png, image/webp, image/jpeg, image/gif'

/**
 * The pre-checks that look beyond the form (oauth.md 4): whether the pages answer, whether a host is denied, whether the logo
 * is a picture. Callbacks are judged by their host and never fetched: what they answer without a code says nothing.
 */
export function createPageChecks({ fetch, hostCheckers }: PageCheckOptions): PageChecks {
  return async (revision) => {
    const findHostFinding = rememberFindings(hostCheckers)
    const [homepage, policy, logo, hosts] = await Promise.all([
      checkPage(fetch, { field: 'homepageUrl', address: revision.homepageUrl }, findHostFinding),
      checkPage(fetch, { field: 'policyUrl', address: revision.policyUrl }, findHostFinding),
      checkLogo(fetch, revision.logoUrl, findHostFinding),
      checkHosts(pagesOf(revision), findHostFinding),
    ])
    const checks = [...hosts, homepage, policy, ...logo.checks]
    return { checks, ...(logo.logo !== undefined && { logo: logo.logo }) }
  }
}

/** APP_CHECKS=off: hosts are judged all the same, and nothing leaves the house. */
export const defaultPageChecks = ({ appChecks, baseUrl }: Pick<Config, 'appChecks' | 'baseUrl'>): PageChecks =>
  createPageChecks({
    fetch: appChecks === 'off' ? undefined : createGuardedFetch({ baseUrl }),
    hostCheckers: [hostListChecker(readBlocklist())],
  })

const pagesOf = ({ homepageUrl, policyUrl, logoUrl, callbackUrls }: CheckedRevision): Page[] => [
  { field: 'homepageUrl', address: homepageUrl },
  { field: 'policyUrl', address: policyUrl },
  { field: 'logoUrl', address: logoUrl },
  ...callbackUrls.map((address, index) => ({ field: `callbackUrls/${index}`, address })),
]

type FindHostFinding = (host: string) => Promise<HostFinding | undefined>

/** The pages of an app mostly share a host: each checker is asked about it once. */
function rememberFindings(checkers: readonly HostChecker[]): FindHostFinding {
  const findings = new Map<string, Promise<HostFinding | undefined>>()
  return (host) => {
    const finding = findings.get(host) ?? firstFinding(checkers, host)
    findings.set(host, finding)
    return finding
  }
}

async function firstFinding(checkers: readonly HostChecker[], host: string): Promise<HostFinding | undefined> {
  const found = await Promise.all(checkers.map((checker) => askChecker(checker, host)))
  return found.find((finding) => finding?.kind === 'denied') ?? found.find((finding) => finding !== undefined)
}

/** A checker that fails or takes too long has nothing to say: a submission does not wait for it. */
async function askChecker(checker: HostChecker, host: string): Promise<HostFinding | undefined> {
  try {
    const finding = await withTimeout(checkerLimitMs, (signal) => checker(host, signal))
    return finding === timedOut ? undefined : finding
  } catch {
    return undefined
  }
}

const placeNames: Record<string, string> = {
  homepageUrl: 'home page',
  policyUrl: 'privacy policy',
  logoUrl: 'logo',
}

/** A field as the form names it; callback URLs are counted from 1. */
const placeOf = (field: string): string => {
  const [name = '', index] = field.split('/')
  return index === undefined ? (placeNames[name] ?? name) : `callback URL ${Number(index) + 1}`
}

/** A denied host is one finding, however many addresses name it. */
async function checkHosts(pages: readonly Page[], findHostFinding: FindHostFinding): Promise<CheckResult[]> {
  const checks = (await Promise.all(pages.map((page) => checkHost(page, findHostFinding)))).flat()
  const denied = checks.filter(({ result }) => result === 'failed')
  const firstOf = (message: string) => denied.find((check) => check.message === message)
  return checks.flatMap((check) => {
    if (check.result !== 'failed') return [check]
    if (check !== firstOf(check.message)) return []
    const others = denied.filter((other) => other !== check && other.message === check.message)
    if (others.length === 0) return [check]
    const places = others.map(({ field = '' }) => placeOf(field)).join(', ')
    return [{ ...check, message: `${check.message} It is also in: ${places}.` }]
  })
}

async function checkHost({ field, address }: Page, findHostFinding: FindHostFinding): Promise<CheckResult[]> {
  const finding = await findHostFinding(new URL(address).hostname)
  switch (finding?.kind) {
    case 'denied':
      return [{ check: 'denied_host', field, result: 'failed', message: finding.message }]
    case 'suspicious':
      return [
        { check: 'denied_host', field, result: 'passed', message: notListed },
        { check: 'new_domain', field, result: 'noted', message: finding.message },
      ]
    default:
      return [{ check: 'denied_host', field, result: 'passed', message: notListed }]
  }
}

const notListed = 'The host is on no list of denied hosts.'

async function checkPage(
  fetch: GuardedFetch | undefined,
  page: Page,
  findHostFinding: FindHostFinding,
): Promise<CheckResult> {
  const answer = await look(fetch, page, findHostFinding, { readBody: false, accept: 'text/html, */*;q=0.8' })
  return answer.check
}

async function checkLogo(
  fetch: GuardedFetch | undefined,
  address: string,
  findHostFinding: FindHostFinding,
): Promise<PageFindings> {
  const field = 'logoUrl'
  const { check, fetched } = await look(fetch, { field, address }, findHostFinding, {
    readBody: true,
    accept: pictureTypes,
  })
  if (fetched === undefined) return { checks: [check] }
  try {
    const { mediaType, bytes, width, height }: Logo = readLogo(fetched.bytes)
    const message = `The picture is ${width} × ${height} pixels, ${mediaType}.`
    return { checks: [check, { check: 'logo_picture', field, result: 'passed', message }], logo: { mediaType, bytes } }
  } catch (error) {
    if (!(error instanceof PictureRefused)) throw error
    const message = `The picture ${error.message}.`
    return { checks: [check, { check: 'logo_picture', field, result: 'failed', message }] }
  }
}

/** Fetches a page; `fetched` is there only when it answered that all is well. */
async function look(
  fetch: GuardedFetch | undefined,
  { field, address }: Page,
  findHostFinding: FindHostFinding,
  { readBody, accept }: { readBody: boolean; accept: string },
): Promise<{ check: CheckResult; fetched?: Fetched }> {
  const told = (result: CheckResult['result'], message: string) => ({
    check: { check: 'page_answers', field, result, message } as const,
  })
  if (fetch === undefined) return told('noted', 'The page was not fetched: switched off by the operator.')
  const finding = await findHostFinding(new URL(address).hostname)
  if (finding?.kind === 'denied') return told('not_tried', 'The page was not fetched: its host is denied.')
  try {
    const isDeniedHost = async (host: string) => (await findHostFinding(host))?.kind === 'denied'
    const fetched = await fetch(address, { headers: { accept }, readBody, isDeniedHost })
    if (fetched.status < 200 || fetched.status > 299) return told('failed', `The page answers ${fetched.status}.`)
    return { ...told('passed', answered(address, fetched)), fetched }
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    return told(resultOf(error), sentenceOf(error, new URL(address).hostname))
  }
}

function answered(address: string, { finalUrl }: Fetched): string {
  const host = new URL(finalUrl).hostname
  return host === new URL(address).hostname ? 'The page answers.' : `The page answers, and leads to ${host}.`
}

/** What we do not fetch is not for that the page's fault: its reviewer looks. */
const resultOf = ({ code }: FetchRefused) => (code === 'port' ? 'noted' : 'failed')

function sentenceOf({ host, message }: FetchRefused, asked: string): string {
  if (host === asked || host === '') return `The page ${message}.`
  return `The page redirects to ${host}, which ${message}.`
}
