import type { Worker } from 'node:worker_threads'
import type { WireFields, WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { CodeCaller } from '../../context/Registry.ts'
import { createSlots } from '../createSlots.ts'
import { runInWorker } from './runInWorker.ts'
import { startWorker } from './startWorker.ts'

export type IsolatedCall = {
  name: string
  /** The file, and what of it. */
  path: string
  exported: string
  params: WireFields
  caller: CodeCaller
  signal: AbortSignal
}

export type Workers = {
  run(call: IsolatedCall): Promise<WireValue | undefined>
  close(): Promise<void>
}

/** Threads for isolated functions. They are started on use and kept for the next call; each runs one at a time. */
export function createWorkers(context: Context): Workers {
  const { workers: places, memory } = context.config.functions
  const slots = createSlots(places, places * 100)
  const all = new Set<Worker>()
  const idle: Worker[] = []
  let isClosed = false

  const take = (): Worker => {
    const known = idle.pop()
    if (known) return known
    const worker = startWorker(memory)
    all.add(worker)
    worker.once('exit', () => {
      all.delete(worker)
      const place = idle.indexOf(worker)
      if (place >= 0) idle.splice(place, 1)
    })
    return worker
  }

  return {
    run: (call) =>
      slots.run(call.signal, async () => {
        const worker = take()
        const { answer, isFit } = await runInWorker(context, worker, call)
        if (isFit && !isClosed && all.has(worker)) idle.push(worker)
        else void worker.terminate()
        return answer()
      }),
    async close() {
      isClosed = true
      await Promise.all([...idle].map((worker) => worker.terminate()))
    },
  }
}
