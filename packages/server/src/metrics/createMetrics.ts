import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Context } from '../context/Context.ts'
import type { Replicas } from '../db/postgres/createReplicas.ts'
import { sql } from '../db/sql.ts'
import type { LiveStats } from '../live/Live.ts'
import { version } from '../version.ts'
import { createGathering } from '../work/createGathering.ts'
import { countRequests, countStatements } from './countRequests.ts'

/** Lifetime (ms) of database figures: frequent scrapes must not keep the database busy. */
const freshness = 10_000
/** More sessions are estimated, not counted. */
const mostCounted = 100_000

export type Metrics = {
  observeRequest(name: string, status: number, ms: number): void
  observeStatement(ms: number, failed: boolean): void
  /** Adds figures of the running server. */
  watch(context: Context, live: LiveStats): void
  /** All of it in the form of Prometheus. */
  write(): Promise<{ type: string; text: string }>
  close(): void
}

type Sample = {
  sessions: number
  jobsWaiting: number
  jobsRunning: number
  jobsLate: number
  deliveries: number
  deliveriesLate: number
  chains: { chain: string; head: number; behind: number; age: number; left: number }[]
}

/** Metrics of `/metrics`. Loaded only if an operator enables it. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const requests = countRequests()
  const statements = countStatements()
  for (const metric of [...requests.metrics, ...statements.metrics]) registry.registerMetric(metric)
  // Memory, processor, event loop and garbage collection, under the names that every dashboard of Node knows.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })

  const gathering = createGathering('metrics', () => registry.getMetricsAsJSON())
  const gauge: AddGauge = (name, help, labelNames, collect, aggregator = 'sum') => {
    new Gauge({
      name: `countersign_${name}`,
      help,
      labelNames,
      aggregator,
      registers: [registry],
      collect() {
        return collect(this)
      },
    })
  }

  return {
    observeRequest: requests.observe,
    observeStatement: statements.observe,
    watch(context, live) {
      const tell = (info: Gauge) => info.set({ version, database: context.db.kind }, 1)
      gauge('info', 'Version and kind of database.', ['version', 'database'], tell, 'max')
      watchProcess(context, live, gauge)
      watchDatabase(context, gauge)
    },
    async write() {
      const reports = await gathering.ask(undefined)
      const joined = reports.length > 1 ? AggregatorRegistry.aggregate(reports) : registry
      return { type: registry.contentType, text: await joined.metrics() }
    },
    close() {
      gathering.close()
      registry.clear()
    },
  }
}

type AddGauge = (
  name: string,
  help: string,
  labelNames: string[],
  collect: (gauge: Gauge) => void | Promise<void>,
  /** Combines the values of several workers. Default: their sum. */
  aggregator?: 'sum' | 'max' | 'min',
) => void

function watchProcess({ db, replicas }: Context, live: LiveStats, gauge: AddGauge): void {
  gauge('live_sockets', 'Open sockets of live queries.', [], (it) => it.set(live.sockets))
  gauge('live_subscriptions', 'Active live query subscriptions.', [], (it) => it.set(live.subscriptions))
  gauge('live_events', 'Events sent to subscribers since the start.', [], (it) => it.set(live.deliveries))
  gauge('live_slow', 'Clients that read too slowly since the start.', [], (it) => it.set(live.slow))
  const tellLag = (it: Gauge) => it.set(live.lag / 1000)
  gauge('live_lag_seconds', 'Delay between the write of the last change and its delivery.', [], tellLag, 'max')
  const tellHeard = (it: Gauge) => it.set(db.listening() ? 1 : 0)
  gauge('notifications_heard', '1 if database notifications arrive, else 0.', [], tellHeard, 'min')
  gauge('database_connections', 'Connections of the pools.', ['pool', 'state'], (it) => {
    for (const [pool, { total, idle, waiting }] of Object.entries(db.pools())) {
      it.set({ pool, state: 'busy' }, total - idle)
      it.set({ pool, state: 'idle' }, idle)
      it.set({ pool, state: 'waited for' }, waiting)
    }
  })
  if (replicas) watchReplicas(replicas, gauge)
}

function watchReplicas(replicas: Replicas, gauge: AddGauge): void {
  gauge(
    'replica_up',
    '1 if the read replica responds and follows the primary, else 0.',
    ['replica'],
    (it) => {
      for (const { name, age } of replicas.list()) it.set({ replica: name }, age === undefined ? 0 : 1)
    },
    'min',
  )
  gauge(
    'replica_lag_seconds',
    'Age of the data of a read replica.',
    ['replica'],
    (it) => {
      it.reset()
      for (const { name, age } of replicas.list()) if (age !== undefined) it.set({ replica: name }, age / 1000)
    },
    'max',
  )
  gauge('replica_reads', 'Queries that a read replica served since the start.', ['replica'], (it) => {
    for (const { name, reads } of replicas.list()) it.set({ replica: name }, reads)
  })
  gauge('replica_failures', 'Queries that the primary served after a read replica failed.', ['replica'], (it) => {
    for (const { name, failures } of replicas.list()) it.set({ replica: name }, failures)
  })
}

/** One statement for all of it, at most once in ten seconds. */
function watchDatabase(context: Context, gauge: AddGauge): void {
  let asked = Number.NEGATIVE_INFINITY
  let sample: Promise<Sample | undefined> = Promise.resolve(undefined)
  const get = () => {
    if (performance.now() - asked < freshness) return sample
    asked = performance.now()
    sample = readSample(context).catch((error) => {
      context.log.warn({ err: error }, 'reading metrics from the database failed')
      return undefined
    })
    return sample
  }
  const single = (name: string, help: string, read: (sample: Sample) => number) =>
    gauge(
      name,
      help,
      [],
      async (it) => {
        const found = await get()
        if (found) it.set(read(found))
        else it.reset()
      },
      'max',
    )
  single('sessions', 'Sessions in the database; an estimate above 100,000.', ({ sessions }) => sessions)
  single('jobs_waiting', 'Waiting job runs.', ({ jobsWaiting }) => jobsWaiting)
  single('jobs_running', 'Active job runs.', ({ jobsRunning }) => jobsRunning)
  single('jobs_late_seconds', 'Seconds that the oldest waiting job run is overdue.', ({ jobsLate }) => jobsLate)
  single('webhook_deliveries_waiting', 'Waiting webhook deliveries.', ({ deliveries }) => deliveries)
  single(
    'webhook_late_seconds',
    'Seconds that the oldest waiting delivery is overdue.',
    ({ deliveriesLate }) => deliveriesLate,
  )
  const ofChains = (name: string, help: string, read: (chain: Sample['chains'][number]) => number) =>
    gauge(
      `chain_${name}`,
      help,
      ['chain'],
      async (it) => {
        for (const chain of (await get())?.chains ?? []) it.set({ chain: chain.chain }, read(chain))
      },
      'max',
    )
  ofChains('head', 'The newest block of the chain.', ({ head }) => head)
  ofChains('index_lag_blocks', 'Blocks between the chain head and the newest indexed block.', ({ behind }) => behind)
  ofChains('head_age_seconds', 'Age of the newest indexed block.', ({ age }) => age)
  ofChains('index_blocks_left', 'Older blocks that are not indexed yet.', ({ left }) => left)
}

async function readSample({ db, clock }: Context): Promise<Sample> {
  const now = sql.param(clock.now())
  const [row] = await db.query<{ sample: Sample }>(sql.named('read-metrics')`
    select jsonb_build_object(
      'sessions', (
        select case when reltuples < ${mostCounted} then (select count(*) from "_Session") else reltuples end
        from pg_class
        where oid = '"_Session"'::regclass
      ),
      'jobsWaiting', (select count(*) from countersign.job_runs where coalesce(lease_until < ${now}, true)),
      'jobsRunning', (select count(*) from countersign.job_runs where lease_until >= ${now}),
      'jobsLate', (
        select coalesce(greatest(0, extract(epoch from ${now} - min(due))), 0)
        from countersign.job_runs
        where coalesce(lease_until < ${now}, true) and due > '-infinity'
      ),
      'deliveries', (select count(*) from countersign.deliveries where status = 'pending'),
      'deliveriesLate', (
        select coalesce(greatest(0, extract(epoch from ${now} - min(greatest(due, "createdAt")))), 0)
        from countersign.deliveries
        where status = 'pending'
      ),
      'chains', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'chain', chain::text, 'head', head, 'behind', greatest(0, head - tip),
          'age', greatest(0, extract(epoch from ${now} - tip_time)),
          'left', (
            select coalesce(sum(last - next + 1), 0) from countersign.chain_work w
            where w.chain = s.chain and next <= last
          )
        )), '[]')
        from countersign.chain_state s
      )
    ) as sample`)
  return (row as { sample: Sample }).sample
}
