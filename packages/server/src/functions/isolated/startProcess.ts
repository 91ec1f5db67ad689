import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WireFields, WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { CodeCaller } from '../../context/Registry.ts'
import { createSemaphore } from '../createSemaphore.ts'
import { type FromProcess, longestText, type ToProcess } from './Message.ts'
import { runInProcess } from './runInProcess.ts'

/** A process that runs code of the application. */
export type CodeProcess = {
  send(message: ToProcess): void
  /** Calls back with what it says, and once with why it ended. Returns its own unsubscribe. */
  watch(hear: (message: FromProcess) => void, ended: (reason: EndReason) => void): () => void
  onExit(act: () => void): void
  /** Bytes of memory that it has, as far as that is known. */
  memory(): number
  end(): void
}

/** `status` is its exit code, or the signal that ended it. */
export type EndReason = { status: number | string; outOfMemory: boolean }

/** What the server itself is set up with. Code of the application has its own variables. */
const ofTheServer = /^(COUNTERSIGN_|DATABASE_URL$|PG[A-Z]+$|NODE_CHANNEL_)/

/**
 * A process with so many megabytes for its objects. It does not keep the server running, ends when the server does,
 * however that ends, and cannot take it along.
 */
function startProcess(memory: number): CodeProcess {
  const extension = extname(import.meta.url)
  const environment = Object.entries(process.env).filter(([name]) => !ofTheServer.test(name))
  const child = fork(fileURLToPath(new URL(`./main${extension}`, import.meta.url)), [String(process.pid)], {
    serialization: 'advanced',
    env: Object.fromEntries(environment),
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    execArgv: [
      `--max-old-space-size=${memory}`,
      `--max-semi-space-size=${Math.max(1, Math.floor(memory / 16))}`,
      // Run from its sources, as our own tests do, it needs the compiler.
      ...(extension === '.ts' ? ['--import', 'jiti/register'] : []),
    ],
  })
  child.unref()
  child.channel?.unref()
  // What goes wrong while nobody waits for an answer ends the process alone.
  child.on('error', () => {})

  let lastWords = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk)
    lastWords = (lastWords + chunk.toString('latin1')).slice(-8_000)
  })
  ;(child.stderr as unknown as { unref?(): void } | null)?.unref?.()

  return {
    send: (message) => {
      if (child.connected) child.send(JSON.stringify(message), () => {})
    },
    watch(hear, ended) {
      const read = (text: unknown) => {
        if (typeof text === 'string' && text.length <= longestText) hear(JSON.parse(text) as FromProcess)
      }
      const close = (code: number | null, signal: string | null) =>
        ended({ status: signal ?? code ?? 0, outOfMemory: /heap out of memory|FATAL ERROR:.*memory/i.test(lastWords) })
      // `close` comes once all that it wrote was read; `error` where it could not be started.
      const fail = (error: Error) => ended({ status: error.message, outOfMemory: false })
      child.on('message', read).on('close', close).on('error', fail)
      return () => child.off('message', read).off('close', close).off('error', fail)
    },
    onExit: (act) => child.once('exit', act),
    memory: () => readMemory(child),
    end: () => child.kill('SIGKILL'),
  }
}

const pageSize = 4096

function readMemory({ pid }: ChildProcess): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * pageSize
  } catch {
    // Elsewhere than on Linux the limit of its heap must do.
    return 0
  }
}

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
  const slots = createSemaphore(places, places * 100)
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
