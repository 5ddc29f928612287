import type { EnvironmentReader } from './environment.ts'

/** Where spans go, under the names of OpenTelemetry's specification. What is not here, its SDK reads from the environment. */
export type TracingConfig = {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`, below which `v1/traces` lies. */
  endpoint: string
  serviceName: string
  sampler: SamplerName
  /** From 0 to 1, for the samplers of a ratio. */
  samplerRatio: number
  /** Whether headers go with each export; they hold keys. */
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

/** @returns undefined where there is no endpoint: nothing is traced, and no package for it is loaded */
export function readTracing(read: EnvironmentReader): TracingConfig | undefined {
  const endpoint = readEndpoint(read)
  const sampler = read.oneOf('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on')
  const samplerRatio = read.parsed('OTEL_TRACES_SAMPLER_ARG', 1, 'a number from 0 to 1', parseRatio)
  // gRPC would take three more packages, and every collector takes HTTP.
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
  // Nothing of it is shown: a key may stand in it.
  return read.refuse(
    'OTEL_EXPORTER_OTLP_ENDPOINT must be the http or https address of a collector without a user and a query, such as ' +
      'http://localhost:4318.',
  )
}

const parseRatio = (text: string) =>
  /^(?:\d*\.)?\d+$/.test(text) && Number(text) >= 0 && Number(text) <= 1 ? Number(text) : undefined
