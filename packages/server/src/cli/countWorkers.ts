import { availableParallelism, totalmem } from 'node:os'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'

/** Memory (bytes) that a worker may need under load. */
const memoryOfWorker = 512 * 1024 * 1024

/** Workers that `auto` starts at most: PostgreSQL allows 100 connections by default, and each worker uses up to 13. */
const mostOfAuto = 4

/** Connections of all workers for writes and transactions. */
const sharedConnections = 16

/** Number of processes that serve requests: in production on PostgreSQL one per core unless set. */
export function countWorkers({ production, workers = production ? 'auto' : 1, databaseUrl }: Config): number {
  if (!databaseUrl) {
    if (workers !== 'auto' && workers > 1) {
      throw new ConfigError(
        `The embedded database serves one process, so workers cannot be ${workers}. Set DATABASE_URL to a PostgreSQL server, or workers to 1.`,
      )
    }
    return 1
  }
  if (workers !== 'auto') return workers
  // Inside a container this is its limit.
  const memory = process.constrainedMemory?.() || totalmem()
  const fitting = Math.floor(Math.min(memory, totalmem()) / memoryOfWorker)
  return Math.max(1, Math.min(mostOfAuto, availableParallelism(), fitting))
}

/** Size of each worker's pool: PostgreSQL's connections are limited, however many workers there are. */
export function poolSizeOf(workers: number): number | undefined {
  return workers === 1 ? undefined : Math.max(3, Math.ceil(sharedConnections / workers))
}
