import type { WireFields, WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { CodeCaller } from '../../context/Registry.ts'
import { createSlots } from '../createSlots.ts'
import { runInProcess } from './runInProcess.ts'
import { type CodeProcess, startProcess } from './startProcess.ts'

export type IsolatedCall = {
  name: string
  /** The file, and what of it. */
  path: string
  exported: string
  params: WireFields
  caller: CodeCaller
  signal: AbortSignal
}

export type Processes = {
  run(call: IsolatedCall): Promise<WireValue | undefined>
  close(): Promise<void>
}

/** Processes for isolated functions. They are started on use and kept for the next call; each runs one at a time. */
export function createProcesses(context: Context): Processes {
  const { workers: places, memory } = context.config.functions
  const slots = createSlots(places, places * 100)
  const all = new Set<CodeProcess>()
  const idle: CodeProcess[] = []
  let isClosed = false

  const take = (): CodeProcess => {
    const known = idle.pop()
    if (known) return known
    const made = startProcess(memory)
    all.add(made)
    made.onExit(() => {
      all.delete(made)
      const place = idle.indexOf(made)
      if (place >= 0) idle.splice(place, 1)
    })
    return made
  }

  return {
    run: (call) =>
      slots.run(call.signal, async () => {
        const made = take()
        const { answer, isFit } = await runInProcess(context, made, call)
        if (isFit && !isClosed && all.has(made)) idle.push(made)
        else made.end()
        return answer()
      }),
    async close() {
      isClosed = true
      for (const each of idle) each.end()
    },
  }
}
