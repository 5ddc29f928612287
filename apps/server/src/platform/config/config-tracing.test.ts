import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configOf } from '../../../test/read-config.ts'

test("configures traces by OpenTelemetry's names, and only with an endpoint", () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://collector.example.org/otlp'
  const byDefault = {
    endpoint: OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: 'parley',
    sampler: 'parentbased_always_on',
    samplerRatio: 1,
    hasHeaders: false,
  }
  assert.deepEqual(configOf({ OTEL_EXPORTER_OTLP_ENDPOINT }).tracing, byDefault)
  const given = {
    OTEL_SERVICE_NAME: 'meet',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '.25',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=hidden',
  }
  assert.deepEqual(configOf({ OTEL_EXPORTER_OTLP_ENDPOINT, ...given }).tracing, {
    endpoint: OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: 'meet',
    sampler: 'traceidratio',
    samplerRatio: 0.25,
    hasHeaders: true,
  })
  assert.equal(configOf(given).tracing, undefined)
})
