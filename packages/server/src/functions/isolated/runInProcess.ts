import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { callerOf } from '../../context/codeCaller.ts'
import { runObjectStep } from '../createObjects.ts'
import { asMaster } from '../createTools.ts'
import type { CodeProcess, EndReason, IsolatedCall } from './CodeProcess.ts'
import { type FromProcess, readFailure, writeFailure } from './Message.ts'

/** Result of a call. `isFit`: the process can be used again. */
export type Ended = { answer(): WireValue | undefined; isFit: boolean }

/** More than any function waits for at once: a process that asks in an endless loop must not fill the server's memory. */
const mostSteps = 1_000

/** Memory limit of the whole process: buffers are outside of the heap limit. */
const mostMemory = (memory: number) => Math.max(256, 4 * memory) * 1024 * 1024
const watchEvery = 100

let calls = 0

/** Runs a function in a process, and serves its document requests. */
export function runInProcess(context: Context, runner: CodeProcess, { limit, ...asked }: IsolatedCall): Promise<Ended> {
  const call = ++calls
  const caller = callerOf(asked.caller)
  let open = 0
  const ended = new AbortController()

  return new Promise<Ended>((resolve) => {
    const { memory } = context.config.functions
    const watch = setInterval(() => {
      if (runner.memory() < mostMemory(memory)) return
      runner.end()
      refuse(outOfMemory(asked.name, memory), false)
    }, watchEvery)
    const end = (outcome: Ended) => {
      clearInterval(watch)
      unwatch()
      stay()
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
    let lastWords: string | undefined
    const fail = (reason: EndReason) => refuse(describe(asked.name, memory, reason, lastWords), false)

    const hear = (message: FromProcess) => {
      if (message.kind === 'crashed') {
        lastWords = message.message
        return
      }
      // Leftovers of an earlier call have no rights.
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

    const answerStep = async ({ id, as, step }: Extract<FromProcess, { kind: 'step' }>) => {
      if (++open > mostSteps) {
        runner.end()
        return refuse(new CountersignError('ScriptFailed', `${asked.name} asks for too much at once.`), false)
      }
      try {
        const by = as === 'master' ? asMaster(caller) : caller
        const answer = await runObjectStep(context, by, limit, step)
        if (!ended.signal.aborted) runner.send({ kind: 'stepDone', id, answer })
      } catch (error) {
        if (!ended.signal.aborted) runner.send({ kind: 'stepFailed', id, failure: writeStepFailure(context, error) })
      } finally {
        open--
      }
    }

    const unwatch = runner.watch(hear, fail)
    const stay = limit.onAbort((reason) => {
      runner.end()
      refuse(reason, false)
    })
    try {
      runner.send({ kind: 'call', call, ...asked })
    } catch (error) {
      refuse(error, true)
    }
  })
}

/** Internal failures go to the log, not to the process. */
function writeStepFailure({ log }: Context, error: unknown) {
  if (error instanceof CountersignError) return writeFailure(error)
  log.error({ err: error }, 'a step of a function failed')
  return { code: 1, message: 'Internal server error.' }
}

function describe(name: string, memory: number, reason: EndReason, lastWords: string | undefined): CountersignError {
  if (reason.outOfMemory) return outOfMemory(name, memory)
  const garbled = reason.isGarbled && 'its process sent an invalid message'
  const why = garbled || (lastWords ?? `its process ended with ${reason.status}`)
  return new CountersignError('ScriptFailed', `${name} was stopped: ${why}`)
}

function outOfMemory(name: string, memory: number): CountersignError {
  return new CountersignError('ScriptFailed', `${name} used more than ${memory} MB of memory and was stopped.`)
}
