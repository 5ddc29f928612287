import { readFileSync } from 'node:fs'
import type { CheckResult } from '@parley/contract'
import type { Config } from '../platform/config/config.ts'
import { FetchRefused } from '../platform/outbound/fetch-refused.ts'
import { createGuardedFetch, type Fetched, type GuardedFetch } from '../platform/outbound/guarded-fetch.ts'
import { ImageRefused, readImage, type ServedImage } from '../platform/served-image.ts'
import { timedOut, withTimeout } from '../platform/with-timeout.ts'

/** The URLs of a revision that the pre-checks fetch or check. A client that no developer has registered may name no page. */
export type CheckedRevision = {
  name: string
  homepageUrl: string
  policyUrl: string
  logoUrl: string
  callbackUrls: readonly string[]
  embedOrigins?: readonly string[]
}

export type PageFindings = {
  checks: CheckResult[]
  /** The image at `logoUrl`, if it can be served from our origin. */
  logo?: { mediaType: string; bytes: Buffer }
}

/**
 * Check the pages of a revision. Problems of a page are results, never errors: a developer's slow server must not
 * refuse a submission. Call it outside transactions; it ends within some seconds.
 */
export type PageChecks = (revision: CheckedRevision) => Promise<PageFindings>

type PageCheckOptions = {
  /** Undefined with APP_CHECKS=off, which checks hosts without fetching pages. */
  fetch: GuardedFetch | undefined
  /** Run for every host that a URL of the app names or redirects to. A denial takes precedence, then the order. */
  hostCheckers: readonly HostChecker[]
}

type Page = { field: string; address: string }

/** The time limit of a checker; with a fetch, a check stays within about six seconds. */
const checkerTimeoutMs = 1_000

const logoMediaTypes = 'image/png, image/webp'

/**
 * Create the pre-checks of pages: whether they answer, whether a host is denied, whether the logo is an image
 * (docs/oauth.md, "Review"). Callback URLs and embedding origins are checked by host and never fetched: what they
 * reply without a code or a ticket has no meaning.
 */
export function createPageChecks({ fetch, hostCheckers }: PageCheckOptions): PageChecks {
  return async (revision) => {
    const findHostFinding = cacheFindings(hostCheckers)
    const [homepage, policy, logo, hosts] = await Promise.all([
      checkPage(fetch, { field: 'homepageUrl', address: revision.homepageUrl }, findHostFinding),
      checkPage(fetch, { field: 'policyUrl', address: revision.policyUrl }, findHostFinding),
      checkLogo(fetch, revision.logoUrl, findHostFinding),
      checkHosts(pagesOf(revision), findHostFinding),
    ])
    const checks = [...hosts, ...homepage, ...policy, ...logo.checks]
    return { checks, ...(logo.logo !== undefined && { logo: logo.logo }) }
  }
}

/** With APP_CHECKS=off hosts are checked, and nothing is fetched. */
export const defaultPageChecks = ({ appChecks, baseUrl }: Pick<Config, 'appChecks' | 'baseUrl'>): PageChecks =>
  createPageChecks({
    fetch: appChecks === 'off' ? undefined : createGuardedFetch({ baseUrl }),
    hostCheckers: [createBlocklistChecker(readBlocklist())],
  })

const pagesOf = ({ homepageUrl, policyUrl, logoUrl, callbackUrls, embedOrigins = [] }: CheckedRevision): Page[] =>
  [
    { field: 'homepageUrl', address: homepageUrl },
    { field: 'policyUrl', address: policyUrl },
    { field: 'logoUrl', address: logoUrl },
    ...callbackUrls.map((address, index) => ({ field: `callbackUrls/${index}`, address })),
    ...embedOrigins.map((address, index) => ({ field: `embedOrigins/${index}`, address })),
    // A private-use scheme of a native app names no host, and an absent page has no address.
  ].filter(({ address }) => /^https?:/i.test(address))

type FindHostFinding = (host: string) => Promise<HostFinding | undefined>

/** Cache findings by host: an app's pages usually share one. */
function cacheFindings(checkers: readonly HostChecker[]): FindHostFinding {
  const findings = new Map<string, Promise<HostFinding | undefined>>()
  return (host) => {
    const finding = findings.get(host) ?? firstFinding(checkers, host)
    findings.set(host, finding)
    return finding
  }
}

async function firstFinding(checkers: readonly HostChecker[], host: string): Promise<HostFinding | undefined> {
  const found = await Promise.all(checkers.map((checker) => runChecker(checker, host)))
  return found.find((finding) => finding?.kind === 'denied') ?? found.find((finding) => finding !== undefined)
}

/** Run a checker. A checker that fails or times out has no finding, so that submissions do not wait for it. */
async function runChecker(checker: HostChecker, host: string): Promise<HostFinding | undefined> {
  try {
    const finding = await withTimeout(checkerTimeoutMs, (signal) => checker(host, signal))
    return finding === timedOut ? undefined : finding
  } catch {
    return undefined
  }
}

const fieldNames: Record<string, string> = {
  homepageUrl: 'home page',
  policyUrl: 'privacy policy',
  logoUrl: 'logo',
}

/** The label of a field in the form; callback URLs and origins are counted from 1. */
const fieldNameOf = (field: string): string => {
  const [name = '', index] = field.split('/')
  const listed = name === 'embedOrigins' ? 'embedding origin' : 'callback URL'
  return index === undefined ? (fieldNames[name] ?? name) : `${listed} ${Number(index) + 1}`
}

/** Check the hosts of all pages, and merge the findings about one denied host. */
async function checkHosts(pages: readonly Page[], findHostFinding: FindHostFinding): Promise<CheckResult[]> {
  const checks = (await Promise.all(pages.map((page) => checkHost(page, findHostFinding)))).flat()
  const denied = checks.filter(({ result }) => result === 'failed')
  const firstOf = (message: string) => denied.find((check) => check.message === message)
  return checks.flatMap((check) => {
    if (check.result !== 'failed') return [check]
    if (check !== firstOf(check.message)) return []
    const others = denied.filter((other) => other !== check && other.message === check.message)
    if (others.length === 0) return [check]
    const fields = others.map(({ field = '' }) => fieldNameOf(field)).join(', ')
    return [{ ...check, message: `${check.message} It is also in: ${fields}.` }]
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
): Promise<CheckResult[]> {
  if (page.address === '') return []
  const { check } = await fetchPage(fetch, page, findHostFinding, { readBody: false, accept: 'text/html, */*;q=0.8' })
  return [check]
}

async function checkLogo(
  fetch: GuardedFetch | undefined,
  address: string,
  findHostFinding: FindHostFinding,
): Promise<PageFindings> {
  const field = 'logoUrl'
  if (address === '') return { checks: [] }
  const { check, fetched } = await fetchPage(fetch, { field, address }, findHostFinding, {
    readBody: true,
    accept: logoMediaTypes,
  })
  if (fetched === undefined) return { checks: [check] }
  try {
    const { mediaType, bytes, width, height }: ServedImage = readImage(fetched.bytes)
    const message = `The picture is ${width} × ${height} pixels, ${mediaType}.`
    return { checks: [check, { check: 'logo_picture', field, result: 'passed', message }], logo: { mediaType, bytes } }
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error
    const message = `The picture ${error.message}.`
    return { checks: [check, { check: 'logo_picture', field, result: 'failed', message }] }
  }
}

/** Fetch a page; `fetched` is set only for a successful reply. */
async function fetchPage(
  fetch: GuardedFetch | undefined,
  { field, address }: Page,
  findHostFinding: FindHostFinding,
  { readBody, accept }: { readBody: boolean; accept: string },
): Promise<{ check: CheckResult; fetched?: Fetched }> {
  const toCheck = (result: CheckResult['result'], message: string) => ({
    check: { check: 'page_answers', field, result, message } as const,
  })
  if (fetch === undefined) return toCheck('noted', 'The page was not fetched: switched off by the operator.')
  const finding = await findHostFinding(new URL(address).hostname)
  if (finding?.kind === 'denied') return toCheck('not_tried', 'The page was not fetched: its host is denied.')
  try {
    const isDeniedHost = async (host: string) => (await findHostFinding(host))?.kind === 'denied'
    const fetched = await fetch(address, { headers: { accept }, readBody, isDeniedHost })
    if (fetched.status < 200 || fetched.status > 299) return toCheck('failed', `The page answers ${fetched.status}.`)
    return { ...toCheck('passed', describeSuccess(address, fetched)), fetched }
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    return toCheck(resultOf(error), sentenceOf(error, new URL(address).hostname))
  }
}

function describeSuccess(address: string, { finalUrl }: Fetched): string {
  const host = new URL(finalUrl).hostname
  return host === new URL(address).hostname ? 'The page answers.' : `The page answers, and leads to ${host}.`
}

/** A port that we do not fetch is no error of the page: the reviewer decides. */
const resultOf = ({ code }: FetchRefused) => (code === 'port' ? 'noted' : 'failed')

function sentenceOf({ host, message }: FetchRefused, requestedHost: string): string {
  if (host === requestedHost || host === '') return `The page ${message}.`
  return `The page redirects to ${host}, which ${message}.`
}

/** A checker's finding against a host. */
type HostFinding = { kind: 'denied' | 'suspicious'; message: string }

/**
 * Check a host: by the local list by default, or by a service that an operator subscribes to, such as for the age of a
 * domain. The message is a sentence. No finding means nothing known, not approval.
 */
export type HostChecker = (host: string, signal: AbortSignal) => Promise<HostFinding | undefined>

/** Create a checker of a list of hosts. */
export const createBlocklistChecker = (hosts: ReadonlySet<string>): HostChecker => {
  return async (host) => {
    const listed = domainsOf(host).find((domain) => hosts.has(domain))
    return listed === undefined ? undefined : { kind: 'denied', message: `${listed} is on the list of denied hosts.` }
  }
}

/** Read the list that comes with Parley. */
export const readBlocklist = () => parseHostList(readFileSync(new URL('./denied-hosts.txt', import.meta.url), 'utf8'))

/** Parse a list: one host per line, in capitals or not; comments begin with #. */
export function parseHostList(text: string): ReadonlySet<string> {
  const hosts = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase())
  return new Set(hosts.filter((host) => host !== ''))
}

/** A host and all its parent domains: a.b.c, b.c, c. */
function domainsOf(host: string): string[] {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
