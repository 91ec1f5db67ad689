import type { Metric } from 'prom-client'
import { signInEndpoints } from '../users/signInEndpoints.ts'

/** Upper edges of the buckets, in milliseconds. */
const edges = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]

type Count = { statuses: Map<number, number>; buckets: Float64Array; sum: number; total: number }

export type RequestCounts = {
  /** `name` is an endpoint, or one of a few fixed words: never a caller's text. */
  observe(name: string, status: number, ms: number): void
  metrics: Metric[]
}

/** Sign-in methods by endpoint. */
const signInMethods = new Map<string, string>([...signInEndpoints, ['signUp', 'signUp'], ['logInAs', 'operator']])

/**
 * Requests by endpoint and status, with their duration. Counted as plain numbers and formatted when Prometheus reads
 * them: the counters of prom-client build a text from the labels on every increment.
 */
export function countRequests(): RequestCounts {
  const counts = new Map<string, Count>()

  const countOf = (name: string): Count => {
    const known = counts.get(name)
    if (known) return known
    const made = { statuses: new Map(), buckets: new Float64Array(edges.length), sum: 0, total: 0 }
    counts.set(name, made)
    return made
  }

  return {
    observe(name, status, ms) {
      const count = countOf(name)
      count.statuses.set(status, (count.statuses.get(status) ?? 0) + 1)
      count.total++
      count.sum += ms
      for (let place = 0; place < edges.length; place++) {
        if (ms > (edges[place] as number)) continue
        count.buckets[place] = (count.buckets[place] as number) + 1
        break
      }
    },
    metrics: [
      metricOf('counter', 'countersign_requests_total', 'Requests by endpoint and status.', () =>
        [...counts].flatMap(([endpoint, { statuses }]) =>
          [...statuses].map(([status, value]) => ({ labels: { endpoint, status }, value })),
        ),
      ),
      metricOf('histogram', 'countersign_request_seconds', 'Duration of requests, by endpoint.', () =>
        [...counts].flatMap(([endpoint, count]) => writeHistogram('countersign_request_seconds', endpoint, count)),
      ),
      metricOf('counter', 'countersign_sign_ins_total', 'Sign-ins by method and outcome.', () => {
        const values = new Map<string, Value>()
        for (const [endpoint, method] of signInMethods) {
          for (const [status, value] of counts.get(endpoint)?.statuses ?? []) {
            const outcome = status < 400 ? 'accepted' : status < 500 ? 'refused' : 'failed'
            const known = values.get(`${method} ${outcome}`) ?? { labels: { method, outcome }, value: 0 }
            values.set(`${method} ${outcome}`, { ...known, value: known.value + value })
          }
        }
        return [...values.values()]
      }),
    ],
  }
}

type Value = { metricName?: string; labels: { [name: string]: string | number }; value: number }

function writeHistogram(name: string, endpoint: string, { buckets, sum, total }: Count): Value[] {
  let below = 0
  const values: Value[] = edges.map((edge, place) => {
    below += buckets[place] as number
    return { metricName: `${name}_bucket`, labels: { endpoint, le: edge / 1000 }, value: below }
  })
  return [
    ...values,
    { metricName: `${name}_bucket`, labels: { endpoint, le: '+Inf' }, value: total },
    { metricName: `${name}_sum`, labels: { endpoint }, value: sum / 1000 },
    { metricName: `${name}_count`, labels: { endpoint }, value: total },
  ]
}

/** A metric whose values are computed on request. */
function metricOf(type: 'counter' | 'histogram', name: string, help: string, read: () => Value[]): Metric {
  const get = async () => ({ name, help, type, aggregator: 'sum', values: read() })
  // The types know the metrics of prom-client alone; a registry asks for nothing but the name and this function.
  return { name, get } as unknown as Metric
}

/** The same counting for statements: one histogram without labels, and the failures. */
export function countStatements(): { observe(ms: number, failed: boolean): void; metrics: Metric[] } {
  const count: Count = { statuses: new Map(), buckets: new Float64Array(edges.length), sum: 0, total: 0 }
  let failures = 0
  const name = 'countersign_database_statement_seconds'
  return {
    observe(ms, failed) {
      count.total++
      count.sum += ms
      if (failed) failures++
      for (let place = 0; place < edges.length; place++) {
        if (ms > (edges[place] as number)) continue
        count.buckets[place] = (count.buckets[place] as number) + 1
        break
      }
    },
    metrics: [
      metricOf('histogram', name, 'Duration of statements, including the wait for a connection.', () =>
        writeHistogram(name, '', count).map(({ labels: { endpoint: _none, ...labels }, ...value }) => ({
          ...value,
          labels,
        })),
      ),
      metricOf('counter', 'countersign_database_failures_total', 'Failed statements.', () => [
        { labels: {}, value: failures },
      ]),
    ],
  }
}
