import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as OTLP sends it. Ids are hexadecimal; `parentSpanId` is empty for the root span. */
export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  attributes: Record<string, string | number | undefined>
  /** 2: error. */
  statusCode: number
  resource: Record<string, string | number | undefined>
}

/** A collector that accepts spans by OTLP/HTTP with protobuf at `/v1/traces`, and keeps them with the raw bodies. */
export async function startOtlpReceiver({ port = 0, hangs = false } = {}) {
  const spans: ReceivedSpan[] = []
  const requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    if (hangs) return
    spans.push(...readExport(body))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The fields of a protobuf message by number: varints and fixed-size numbers as numbers, all others as bytes. */
type Fields = Map<number, (Buffer | number)[]>

/** https://protobuf.dev/programming-guides/encoding/ */
function readFields(bytes: Buffer): Fields {
  const fields: Fields = new Map()
  let at = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  const readValue = (wireType: number): Buffer | number => {
    if (wireType === 0) return varint()
    const length = wireType === 2 ? varint() : wireType === 1 ? 8 : 4
    at += length
    const value = bytes.subarray(at - length, at)
    return wireType === 2 ? value : wireType === 1 ? Number(value.readBigUInt64LE()) : value.readUInt32LE()
  }
  while (at < bytes.length) {
    const tag = varint()
    const number = Math.floor(tag / 8)
    fields.set(number, [...(fields.get(number) ?? []), readValue(tag % 8)])
  }
  return fields
}

const messages = (fields: Fields, number: number) =>
  (fields.get(number) ?? []).filter((value) => typeof value !== 'number').map((value) => readFields(value))
const bytesOf = (fields: Fields, number: number) => {
  const [value] = fields.get(number) ?? []
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}
const numberOf = (fields: Fields | undefined, number: number) => {
  const [value] = fields?.get(number) ?? []
  return typeof value === 'number' ? value : 0
}

/** https://github.com/open-telemetry/opentelemetry-proto: trace.proto, common.proto, resource.proto. */
function readExport(body: Buffer): ReceivedSpan[] {
  return messages(readFields(body), 1).flatMap((resourceSpans) => {
    const [resourceMessage] = messages(resourceSpans, 1)
    const resource = resourceMessage === undefined ? {} : readAttributes(resourceMessage, 1)
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({
        traceId: bytesOf(span, 1).toString('hex'),
        spanId: bytesOf(span, 2).toString('hex'),
        parentSpanId: bytesOf(span, 4).toString('hex'),
        name: bytesOf(span, 5).toString(),
        kind: numberOf(span, 6),
        attributes: readAttributes(span, 9),
        statusCode: numberOf(messages(span, 15)[0], 3),
        resource,
      }))
  })
}

/** Only strings and integers are sent. */
const readAttributes = (fields: Fields, number: number) =>
  Object.fromEntries(
    messages(fields, number).map((pair) => {
      const [value] = messages(pair, 2)
      const read = value?.has(1) ? bytesOf(value, 1).toString() : numberOf(value, 3)
      return [bytesOf(pair, 1).toString(), read]
    }),
  )
