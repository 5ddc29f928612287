import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import type { Latencies } from './result.ts'

const highestMs = 10 * 60_000
/** Three significant figures: a quantile is off by at most a thousandth of itself. */
const figures = 3
const microsecondsPerMs = 1000

/** Latencies in an HDR histogram of microseconds: millions of them take the memory of a few thousand buckets. */
export class LatencyHistogram {
  readonly #histogram: RecordableHistogram = createHistogram({
    lowest: 1,
    highest: highestMs * microsecondsPerMs,
    figures,
  })

  record(latencyMs: number) {
    const microseconds = Math.round(latencyMs * microsecondsPerMs)
    this.#histogram.record(Math.min(Math.max(1, microseconds), highestMs * microsecondsPerMs))
  }

  get count(): number {
    return this.#histogram.count
  }

  /** @param part the share of the latencies at or below the returned one, from 0 to 1 */
  quantileMs(part: number): number {
    return this.count === 0 ? 0 : this.#histogram.percentile(part * 100) / microsecondsPerMs
  }

  summarize(): Latencies {
    return {
      p50Ms: this.quantileMs(0.5),
      p95Ms: this.quantileMs(0.95),
      p99Ms: this.quantileMs(0.99),
      maxMs: this.quantileMs(1),
    }
  }
}
