import { availableParallelism, totalmem } from 'node:os'
import type { Config } from '../config/Config.ts'
import { ConfigError } from '../config/ConfigError.ts'

/** Memory (bytes) that a worker may need under load. */
const memoryOfWorker = 512 * 1024 * 1024

/** Connections of all workers for writes and transactions. */
const sharedConnections = 16

/** Number of processes that serve requests. */
export function countWorkers({ workers = 1, databaseUrl }: Config): number {
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
  return Math.max(1, Math.min(availableParallelism(), Math.floor(Math.min(memory, totalmem()) / memoryOfWorker)))
}

/** Size of each worker's pool: PostgreSQL's connections are limited, however many workers there are. */
export function poolSizeOf(workers: number): number | undefined {
  return workers === 1 ? undefined : Math.max(3, Math.ceil(sharedConnections / workers))
}
