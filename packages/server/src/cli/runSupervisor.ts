import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { FromWorker, ToWorker } from '../work/WorkerMessage.ts'
import { watchParent } from './watchParent.ts'

type Parts = {
  log: Logger
  count: number
  /** Time (ms) for which stopping workers still respond. */
  drain: number
  /** Time (ms) that requests under way may take to end. */
  patience: number
}

/** Time (ms) a worker lives before its end no longer counts as a failed start. */
const settled = 10_000
const longestPause = 30_000
/** Drain (ms) of a worker that is replaced: its clients, slow ones too, move to the new one with their next request. */
const handover = 5_000
const gatherWithin = 2_000

type Slot = { number: number; worker: Worker | undefined; failures: number }

const createSlots = (count: number): Slot[] =>
  Array.from({ length: count }, (_, index) => ({ number: index + 1, worker: undefined, failures: 0 }))

/**
 * Runs the server in several processes that share its port: starts them, replaces those that end, restarts them one
 * after another on SIGHUP, and stops them on SIGTERM and SIGINT.
 */
export async function runSupervisor({ log, count, drain, patience }: Parts): Promise<void> {
  const slots = createSlots(count)
  const replaced = new WeakSet<Worker>()
  let stopping = false
  let banner: string | undefined
  const relay = createRelay()

  const stop = (signal: string) => {
    if (stopping) {
      for (const worker of living()) worker.process.kill('SIGKILL')
      process.exit(1)
    }
    stopping = true
    const time = signal === 'SIGINT' ? 0 : drain
    log.info({ signal, drain: time }, 'stopping all workers')
    void endAll(time).then((isClean) => process.exit(isClean ? 0 : 1))
  }
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('SIGTERM', () => stop('SIGTERM'))
  watchParent(() => stop('the end of npm'))
  process.on('SIGHUP', () => {
    // A terminal that is closed sends the same signal.
    if (process.stdout.isTTY) return stop('SIGHUP')
    // After the start: a service manager may reload what it has just started.
    rolling = rolling.then(restartAll)
  })
  let rolling = startAll()
  await rolling

  async function startAll(): Promise<void> {
    for (const slot of slots) {
      // The first one alone: it migrates the database and creates the keys.
      const started = await start(slot, slot.number === 1)
      if (stopping) return
      if (!started) {
        await endAll(0)
        process.exit(1)
      }
      banner ??= started.banner
    }
    process.stdout.write(banner ?? '')
  }

  /** Starts a worker. Resolves when it serves requests, or to undefined if it ended before. */
  function start(slot: Slot, isFirst: boolean): Promise<{ banner?: string } | undefined> {
    const worker = cluster.fork({
      COUNTERSIGN_WORKER_NUMBER: String(slot.number),
      COUNTERSIGN_WORKER_COUNT: String(count),
      COUNTERSIGN_WORKER_FIRST: isFirst ? '1' : '',
    })
    slot.worker = worker
    const began = performance.now()
    return new Promise((resolve) => {
      let isReady = false
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'ready') {
          isReady = true
          resolve(message.banner === undefined ? {} : { banner: message.banner })
        } else relay(worker, message)
      })
      worker.once('exit', (code, signal) => {
        resolve(undefined)
        if (stopping || replaced.has(worker) || slot.worker !== worker) return
        slot.worker = undefined
        if (!isReady && banner === undefined) return
        slot.failures = performance.now() - began > settled ? 0 : slot.failures + 1
        void revive(slot, `${signal ?? code}`)
      })
    })
  }

  async function revive(slot: Slot, reason: string): Promise<void> {
    const wait = slot.failures === 0 ? 0 : Math.min(longestPause, 100 * 2 ** slot.failures)
    log.error({ worker: slot.number, reason, wait }, 'a worker ended and is started again')
    await pause(wait)
    if (!stopping && !slot.worker) await start(slot, false)
  }

  /** Replaces the workers one after another: each stops once its successor serves requests. */
  async function restartAll(): Promise<void> {
    log.info('workers restart one after another')
    for (const slot of slots) {
      if (stopping) return
      const old = slot.worker
      if (old) replaced.add(old)
      const started = await start(slot, false)
      if (!started) {
        log.error({ worker: slot.number }, 'the new worker did not start; the others keep running as they are')
        if (old && !old.isDead()) {
          replaced.delete(old)
          slot.worker = old
        } else if (!stopping) void revive(slot, 'failed restart')
        return
      }
      if (old && !old.isDead()) await end(old, handover)
    }
    log.info('all workers were restarted')
  }

  function living(): Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead()) as Worker[]
  }

  async function endAll(time: number): Promise<boolean> {
    return (await Promise.all(living().map((worker) => end(worker, time)))).every(Boolean)
  }

  /** Stops a worker in order. Resolves to false if it had to be killed or failed. */
  function end(worker: Worker, time: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => worker.process.kill('SIGKILL'), time + patience + 1_000)
      worker.once('exit', (code) => {
        clearTimeout(timer)
        resolve(code === 0)
      })
      send(worker, { kind: 'stop', drain: time })
    })
  }
}

function send(worker: Worker, message: ToWorker): void {
  // A worker may have ended a moment ago.
  if (worker.isConnected()) worker.send(message, (_error: Error | null) => {})
}

/** Passes a worker's question on to all workers, and their reports back to it. */
function createRelay(): (from: Worker, message: FromWorker) => void {
  const open = new Map<string, { reports: unknown[]; missing: number; finish(): void }>()
  return (from, message) => {
    if (message.kind === 'reported') {
      const asked = open.get(message.id)
      if (!asked) return
      asked.reports.push(message.report)
      if (--asked.missing <= 0) asked.finish()
    }
    if (message.kind !== 'gather') return
    const { id, topic, question } = message
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected()) as Worker[]
    const reports: unknown[] = []
    const timer = setTimeout(finish, gatherWithin)
    open.set(id, { reports, missing: workers.length, finish })
    for (const worker of workers) send(worker, { kind: 'report', id, topic, question })

    function finish(): void {
      clearTimeout(timer)
      if (open.delete(id)) send(from, { kind: 'gathered', id, reports })
    }
  }
}
