import type { EnvironmentReader } from './environment.ts'

/**
 * The tracing configuration, named as in OpenTelemetry's specification. Its SDK reads all other settings from the
 * environment.
 */
export type TracingConfig = {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`; spans are sent to `v1/traces` below it. */
  endpoint: string
  serviceName: string
  sampler: SamplerName
  /** From 0 to 1, for ratio-based samplers. */
  samplerRatio: number
  /** Whether exports carry headers; they contain keys. */
  hasHeaders: boolean
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof samplers)[number]

/** @returns undefined without an endpoint: tracing is off, and its packages are not loaded */
export function readTracing(read: EnvironmentReader): TracingConfig | undefined {
  const endpoint = readEndpoint(read)
  const sampler = read.oneOf('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on')
  const samplerRatio = read.parsed('OTEL_TRACES_SAMPLER_ARG', 1, 'a number from 0 to 1', parseRatio)
  // gRPC would need three more packages, and every collector accepts HTTP.
  read.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf'], 'http/protobuf')
  const serviceName = read.text('OTEL_SERVICE_NAME') ?? 'parley'
  const hasHeaders = read.text('OTEL_EXPORTER_OTLP_HEADERS') !== undefined
  return endpoint === undefined ? undefined : { endpoint, serviceName, sampler, samplerRatio, hasHeaders }
}

function readEndpoint(read: EnvironmentReader): string | undefined {
  const text = read.text('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isPlain = url !== null && url.username === '' && url.password === '' && !/[?#]/.test(text)
  if (isPlain && ['http:', 'https:'].includes(url.protocol)) return text
  // The value is not shown, because it may contain a key.
  return read.refuse(
    'OTEL_EXPORTER_OTLP_ENDPOINT must be the http or https address of a collector without a user and a query, such as ' +
      'http://localhost:4318.',
  )
}

const parseRatio = (text: string) =>
  /^(?:\d*\.)?\d+$/.test(text) && Number(text) >= 0 && Number(text) <= 1 ? Number(text) : undefined
