import { exchangeToken, listEvents, signIn, signInWithPasskey } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Histogram } from 'prom-client'
import { routeOf } from '../platform/http/other-methods.ts'
import { overloadOf } from '../platform/http/overload.ts'
import { addGauge, type Metrics } from './metrics.ts'

/** In seconds: from an answer out of memory to the longest wait before a 503. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const statusClasses = ['2xx', '3xx', '4xx', '5xx']
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Ways to sign in, by the addresses at which they end. */
const signInWays: Readonly<Record<string, string>> = {
  [`${signIn.method} ${signIn.path}`]: 'password',
  [`${signInWithPasskey.method} ${signInWithPasskey.path}`]: 'passkey',
  'POST /oauth2/login': 'password',
  'GET /api/auth/provider-sign-in/callback': 'provider',
}

/** Count and time requests by route, and count sign-ins and token requests by outcome. */
export function observeRequests(metrics: Metrics, http: FastifyInstance, openStreams: () => number) {
  const registers = [metrics.registry]
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer, by route. Of streams: how long they were open',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  })
  const responses = new Counter({
    name: 'parley_responses_total',
    help: 'Answers by class of their status',
    labelNames: ['class'],
    registers,
  })
  // From the first scrape on: Prometheus counts no increase of a series that begins above zero, as that of a first 503
  // does.
  for (const statusClass of statusClasses) responses.inc({ class: statusClass }, 0)
  const refusals = new Counter({
    name: 'parley_overload_refusals_total',
    help: 'Requests that were refused because too many others were in progress',
    registers,
  })
  const signIns = new Counter({
    name: 'parley_sign_ins_total',
    help: 'Attempts to sign in, by way and outcome (accepted, refused, limited, failed)',
    labelNames: ['way', 'outcome'],
    registers,
  })
  const tokens = new Counter({
    name: 'parley_token_requests_total',
    help: 'Answers of the token endpoint: issued, or the error code of RFC 6749',
    labelNames: ['outcome'],
    registers,
  })
  const { inFlight, refused } = overloadOf(http)
  addGauge(metrics, 'parley_requests_in_flight', 'Requests in progress', inFlight)
  addGauge(metrics, 'parley_streams', 'Open event streams of people and of programs', openStreams)

  http.addHook('onResponse', (request, reply, next) => {
    observe(request, reply)
    next()
  })

  function observe(request: FastifyRequest, reply: FastifyReply) {
    const { statusCode: status } = reply
    const method = methods.has(request.method) ? request.method : 'other'
    const route = labelOf(request, reply)
    durations.observe({ method, route, status }, reply.elapsedTime / 1000)
    responses.inc({ class: `${Math.trunc(status / 100)}xx` })
    if (refused(request)) refusals.inc()
    const way = signInWays[`${method} ${route}`]
    if (way !== undefined) signIns.inc({ way, outcome: signInOutcome(status) })
    if (route === exchangeToken.path && method === exchangeToken.method) {
      tokens.inc({ outcome: status === 200 ? 'issued' : reply.errorCode || `status_${status}` })
    }
  }
}

function signInOutcome(status: number): string {
  if (status < 400) return 'accepted'
  if (status === 429) return 'limited'
  return status < 500 ? 'refused' : 'failed'
}

/**
 * The stream of the event log is measured apart from the list of events, because the stream would distort the list's
 * durations.
 */
function labelOf(request: FastifyRequest, reply: FastifyReply): string {
  const url = routeOf(request) ?? 'none'
  const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream')
  return isStream && url === listEvents.path ? `${url}?follow=true` : url
}
