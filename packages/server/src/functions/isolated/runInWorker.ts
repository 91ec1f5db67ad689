import type { Worker } from 'node:worker_threads'
import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { callerOf } from '../../context/codeCaller.ts'
import { carryOutStep } from '../carryOutStep.ts'
import { asMaster } from '../createTools.ts'
import type { IsolatedCall } from './createWorkers.ts'
import { readFailure, writeFailure } from './failure.ts'
import type { FromWorker, ToWorker } from './Message.ts'

/** What came of a call, and whether the thread can be used again. */
export type Ended = { answer(): WireValue | undefined; isFit: boolean }

/** More than any function waits for at once: a thread that asks in an endless loop must not fill the server's memory. */
const mostSteps = 1_000

/**
 * Buffers lie outside of what a thread is limited to; where the whole process grows by so much while one runs, it is
 * ended. Generous, since others may have grown meanwhile.
 */
const mostGrowth = (memory: number) => Math.max(256, 4 * memory) * 1024 * 1024
const watchEvery = 100

let calls = 0

/** Has a thread run a function, and does for it what it asks of documents. */
export function runInWorker(context: Context, worker: Worker, { signal, ...asked }: IsolatedCall): Promise<Ended> {
  const call = ++calls
  const caller = callerOf(asked.caller)
  const send = (message: ToWorker) => worker.postMessage(message)
  let open = 0
  const ended = new AbortController()

  return new Promise<Ended>((resolve) => {
    const before = process.memoryUsage.rss()
    const { memory } = context.config.functions
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before < mostGrowth(memory)) return
      void worker.terminate()
      refuse(outOfMemory(asked.name, memory), false)
    }, watchEvery)
    const end = (outcome: Ended) => {
      clearInterval(watch)
      worker.off('message', hear).off('error', fail).off('exit', fail)
      signal.removeEventListener('abort', stop)
      ended.abort()
      resolve(outcome)
    }
    const refuse = (error: unknown, isFit: boolean) =>
      end({
        answer() {
          throw error
        },
        isFit,
      })
    const fail = (reason: unknown) => refuse(describe(asked.name, memory, reason), false)
    const stop = () => {
      void worker.terminate()
      refuse(signal.reason, false)
    }

    const hear = (message: FromWorker) => {
      // What an earlier call left running speaks with the rights of nobody.
      if (message.kind !== 'log' && message.call !== call) return
      switch (message.kind) {
        case 'log':
          return context.log.info({ ...message.details, code: asked.name }, message.message)
        case 'done':
          return end({ answer: () => message.answer, isFit: true })
        case 'failed': {
          const { stack } = message.failure
          if (stack) context.log.warn({ stack, code: asked.name }, 'a function failed')
          return refuse(readFailure(message.failure), true)
        }
        case 'step':
          return void answerStep(message)
      }
    }

    const answerStep = async ({ id, as, step }: Extract<FromWorker, { kind: 'step' }>) => {
      if (++open > mostSteps) {
        void worker.terminate()
        return refuse(new CountersignError('ScriptFailed', `${asked.name} asks for too much at once.`), false)
      }
      try {
        const by = as === 'master' ? asMaster(caller) : caller
        const answer = await carryOutStep(context, by, signal, step)
        if (!ended.signal.aborted) send({ kind: 'stepDone', id, answer })
      } catch (error) {
        if (!ended.signal.aborted) send({ kind: 'stepFailed', id, failure: writeStepFailure(context, error) })
      } finally {
        open--
      }
    }

    worker.on('message', hear).on('error', fail).on('exit', fail)
    signal.addEventListener('abort', stop)
    try {
      send({ kind: 'call', call, ...asked })
    } catch (error) {
      refuse(error, true)
    }
  })
}

/** What failed in the server itself is told to the log, not to the thread. */
function writeStepFailure({ log }: Context, error: unknown) {
  if (error instanceof CountersignError) return writeFailure(error)
  log.error({ err: error }, 'a step of a function failed')
  return { code: 1, message: 'Internal server error.' }
}

function describe(name: string, memory: number, reason: unknown): CountersignError {
  const { code, message } = (typeof reason === 'object' && reason !== null ? reason : {}) as {
    code?: unknown
    message?: unknown
  }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory(name, memory)
  const why = typeof message === 'string' ? message : `its thread ended with ${String(reason)}`
  return new CountersignError('ScriptFailed', `${name} was ended: ${why}`)
}

function outOfMemory(name: string, memory: number): CountersignError {
  return new CountersignError('ScriptFailed', `${name} took more than ${memory} MB of memory and was ended.`)
}
