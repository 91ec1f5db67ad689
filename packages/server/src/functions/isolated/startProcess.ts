import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Config } from '../../config/Config.ts'
import type { Context } from '../../context/Context.ts'
import { createSemaphore } from '../createSemaphore.ts'
import type { CodeProcess, IsolatedCall } from './CodeProcess.ts'
import { createMessageReader, type FromProcess, longestMessage, pipeFd, writeMessage } from './Message.ts'
import { parseMessage } from './parseMessage.ts'
import { runInProcess } from './runInProcess.ts'

/** Variables that programs need to run at all, and that hold no secrets. The operator names the others. */
const usualVariables =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|NODE_ENV|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|SystemRoot|windir|COMSPEC|PATHEXT)$/i

function readEnvironment(named: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => usualVariables.test(name) || named.includes(name)),
  )
}

/**
 * A process with so many megabytes for its objects. It does not keep the server running, ends when the server does,
 * however that ends, and cannot take it along: a message that does not fit the schema ends the process.
 */
function startProcess({ memory, environment }: Config['functions']): CodeProcess {
  const extension = extname(import.meta.url)
  const file = fileURLToPath(new URL(`./main${extension}`, import.meta.url))
  const flags = [
    `--max-old-space-size=${memory}`,
    `--max-semi-space-size=${Math.max(1, Math.floor(memory / 16))}`,
    // Run from its sources, as our own tests do, it needs the compiler.
    ...(extension === '.ts' ? ['--import', 'jiti/register'] : []),
  ]
  const child = spawn(process.execPath, [...flags, file, String(process.pid)], {
    env: readEnvironment(environment),
    stdio: ['ignore', 'inherit', 'pipe', 'overlapped'],
  })
  const pipe = child.stdio[pipeFd] as Socket
  child.unref()
  pipe.unref?.()
  // A failure outside of a call ends only the process.
  child.on('error', () => {})
  pipe.on('error', () => {})

  let lastWords = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk)
    lastWords = (lastWords + chunk.toString('latin1')).slice(-8_000)
  })
  ;(child.stderr as unknown as { unref?(): void } | null)?.unref?.()

  const end = () => void child.kill('SIGKILL')
  let isGarbled = false
  const garbled = () => {
    isGarbled = true
    end()
  }
  let current: ((message: FromProcess) => void) | undefined
  // Also read between calls: leftovers would fill the memory, or respond to the next call.
  const read = (text: string) => {
    if (isGarbled) return
    const message = parseMessage(text)
    if (message) current?.(message)
    else garbled()
  }
  pipe.on('data', createMessageReader(read, garbled))

  return {
    send: (message) => {
      const frame = writeMessage(message)
      if (!frame) {
        throw new CountersignError('ScriptFailed', `A message to a function can have at most ${longestMessage} bytes.`)
      }
      if (pipe.writable) pipe.write(frame)
    },
    watch(hear, ended) {
      current = hear
      const close = (code: number | null, signal: string | null) =>
        ended({
          status: signal ?? code ?? 0,
          outOfMemory: /heap out of memory|FATAL ERROR:.*memory/i.test(lastWords),
          isGarbled,
        })
      // `close` comes once all that it wrote was read; `error` where it could not be started.
      const fail = (error: Error) => ended({ status: error.message, outOfMemory: false, isGarbled: false })
      child.on('close', close).on('error', fail)
      return () => {
        current = undefined
        child.off('close', close).off('error', fail)
      }
    },
    onExit: (act) => child.once('exit', act),
    memory: () => readMemory(child),
    end,
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

export type Processes = {
  run(call: IsolatedCall): Promise<WireValue | undefined>
  close(): Promise<void>
}

/** Processes for isolated functions. They are started on use and kept for the next call; each runs one at a time. */
export function createProcesses(context: Context): Processes {
  const { functions } = context.config
  const { workers: places } = functions
  const slots = createSemaphore(places, places * 100)
  const all = new Set<CodeProcess>()
  const idle: CodeProcess[] = []
  let isClosed = false

  const take = (): CodeProcess => {
    const known = idle.pop()
    if (known) return known
    const made = startProcess(functions)
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
      slots.run(call.limit, async () => {
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
