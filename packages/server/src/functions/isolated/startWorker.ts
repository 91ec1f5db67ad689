import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

/** A thread with so many megabytes. It does not keep the process alive. */
export function startWorker(memory: number): Worker {
  const extension = extname(import.meta.url)
  const worker = new Worker(new URL(`./worker${extension}`, import.meta.url), {
    // Run from its sources, as our own tests do, it needs the compiler.
    execArgv: extension === '.ts' ? ['--import', 'jiti/register'] : [],
    resourceLimits: {
      maxOldGenerationSizeMb: memory,
      maxYoungGenerationSizeMb: Math.max(8, memory / 8),
      stackSizeMb: 4,
    },
  })
  worker.unref()
  // What goes wrong while nobody waits for an answer ends the thread alone.
  worker.on('error', () => {})
  return worker
}
