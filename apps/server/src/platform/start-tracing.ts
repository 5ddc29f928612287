import { type Span as OtelSpan, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { SamplerName, TracingConfig } from './config/config-tracing.ts'
import { operations, type Span, type SpanStart, type Tracing, traceIdOf } from './operation.ts'
import { withTimeout } from './with-timeout.ts'

/** Longer, a stopping service does not wait for its last spans to be taken. */
const flushLimitMs = 2_000
/**
 * The most spans that wait for a collector that is slow or unreachable; more are dropped. A span takes about a
 * kilobyte.
 */
const maxWaitingSpans = 8_192
const maxSpansPerExport = 1_024

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

/**
 * Send spans by OTLP over HTTP to the collector that the environment names (docs/decisions/0100). This is the only file
 * that loads OpenTelemetry's packages: import it where tracing is configured, and only then.
 */
export function startTracing(
  { serviceName, sampler, samplerRatio }: TracingConfig,
  { version, instance, log }: { version: string; instance: string; log: Logger },
): Tracing {
  const own = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': instance,
  })
  const environment = detectResources({ detectors: [resourceAttributesEnvDetector] })
  const provider = new TracerProvider({
    resource: defaultResource().merge(environment).merge(own),
    sampler: createSampler(sampler, samplerRatio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: logOutages(new OTLPTraceExporter(), log),
        maxQueueSize: maxWaitingSpans,
        maxExportBatchSize: maxSpansPerExport,
      }),
    ],
  })
  const tracer = provider.getTracer('parley', version)

  function start({ name, kind, attributes }: SpanStart, parent: typeof ROOT_CONTEXT): Span {
    return wrap(tracer.startSpan(name, { kind: kinds[kind], attributes }, parent))
  }

  function wrap(span: OtelSpan): Span {
    const { traceId, spanId, traceFlags } = span.spanContext()
    const context = trace.setSpan(ROOT_CONTEXT, span)
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      isRecorded: span.isRecording(),
      startChild: (child) => start(child, context),
      setAttributes: (attributes) => void span.setAttributes(attributes),
      end({ name, error } = {}) {
        if (name !== undefined) span.updateName(name)
        if (error !== undefined) {
          span.setAttributes({ 'error.type': kindOf(error) })
          span.setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end()
      },
    }
  }

  return {
    startSpan: (first, traceparent) => start(first, traceparent === undefined ? ROOT_CONTEXT : contextOf(traceparent)),
    // Spans are lost when the collector is unavailable, which is logged already.
    async stop() {
      await withTimeout(flushLimitMs, () => provider.shutdown().catch(() => {}))
    },
  }
}

const contextOf = (traceparent: string) =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId: traceIdOf(traceparent),
    spanId: traceparent.slice(36, 52),
    traceFlags: Number.parseInt(traceparent.slice(53, 55), 16) & 1,
    isRemote: true,
  })

/** The code of PostgreSQL, Node or ours, or else the class; messages hold values. */
function kindOf(error: unknown): string {
  if (typeof error === 'string') return error
  const { code, name } = Object(error) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : '_OTHER'
}

/** Log one line when the collector stops accepting spans, and one when it accepts them again. */
function logOutages(exporter: SpanExporter, log: Logger): SpanExporter {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const wasAway = isAway
        isAway = result.code !== 0
        // Whichever request has filled the batch, the lines are not about it.
        operations.exit(() => {
          if (isAway && !wasAway)
            log.warn({ reason: reasonOf(result.error) }, 'spans are lost: the collector does not take them')
          if (wasAway && !isAway) log.info('the collector takes spans again')
        })
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}

/** The reason of an exporter's error, whose message may contain the collector's answer. */
const reasonOf = (error: Error | undefined) => (error === undefined ? 'unknown' : error.message.slice(0, 200))

/** The samplers of OpenTelemetry's environment variables; `ratio` is from 0 to 1. */
function createSampler(name: SamplerName, ratio: number): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio)
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) })
  }
}
