import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { FromWorker, ToWorker } from '../work/WorkerMessage.ts'

/** Time (ms) after which a page shows this worker alone. */
const patience = 5_000

type Report = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export type Gathering = { write(): Promise<string>; close(): void }

/** Writes the metrics of this process, or those of all workers together: any of them may be asked. */
export function gatherMetrics(registry: Registry): Gathering {
  if (!cluster.isWorker) return { write: () => registry.metrics(), close() {} }
  const waiting = new Map<string, (reports: unknown[]) => void>()
  const tell = (message: FromWorker) => process.connected && process.send?.(message)
  const answer = async (id: string) => tell({ kind: 'reported', id, report: await registry.getMetricsAsJSON() })

  const receive = (message: ToWorker) => {
    if (message.kind === 'report') void answer(message.id).catch(() => {})
    if (message.kind === 'gathered') waiting.get(message.id)?.(message.reports)
  }
  process.on('message', receive)

  return {
    async write() {
      const id = randomUUID()
      const reports = await new Promise<unknown[]>((resolve) => {
        const timer = setTimeout(resolve, patience, [])
        waiting.set(id, (found) => {
          clearTimeout(timer)
          resolve(found)
        })
        tell({ kind: 'gather', id })
      })
      waiting.delete(id)
      if (reports.length === 0) return registry.metrics()
      return AggregatorRegistry.aggregate(reports as Report[]).metrics()
    },
    close: () => void process.off('message', receive),
  }
}
