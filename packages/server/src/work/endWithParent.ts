import { Worker } from 'node:worker_threads'

/**
 * Ends this process when the one that started it ends. A thread of its own looks: in a long computation nothing else
 * would notice.
 */
export function endWithParent(parent: number): void {
  if (process.platform === 'win32') return
  const watch = `const { workerData } = require('node:worker_threads')
    setInterval(() => process.ppid === workerData || process.kill(process.pid, 'SIGKILL'), 500)`
  const limits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 }
  new Worker(watch, { eval: true, workerData: parent, execArgv: [], resourceLimits: limits }).unref()
}
