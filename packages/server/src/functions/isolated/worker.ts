import { parentPort } from 'node:worker_threads'
import { CountersignError, type WireFields } from '@countersign/protocol'
import { createImporter } from '../createImporter.ts'
import { createObjects } from '../createObjects.ts'
import { type FunctionDefinition, mark } from '../Definition.ts'
import { encodeFields } from '../encodeValue.ts'
import { runHandler } from '../runHandler.ts'
import { readFailure, writeFailure } from './failure.ts'
import type { FromWorker, ToWorker } from './Message.ts'

/** The thread of isolated functions: one call after another. What it does with documents it asks of the server. */
const port = parentPort
if (!port) throw new Error('This file is run as a thread of the server.')

const importFile = createImporter()
const waiting = new Map<number, { resolve(answer: WireFields): void; reject(error: unknown): void }>()
let steps = 0
const send = (message: FromWorker) => port.postMessage(message)

function createRemoteObjects(call: number, as: 'caller' | 'master') {
  return createObjects(
    (step) =>
      new Promise((resolve, reject) => {
        const id = ++steps
        waiting.set(id, { resolve, reject })
        send({ kind: 'step', call, id, as, step })
      }),
  )
}

async function run({ call, name, path, exported, params, caller }: Extract<ToWorker, { kind: 'call' }>) {
  const file = await importFile(path)
  const definition = file[exported] as FunctionDefinition | undefined
  if (definition?.[mark] !== 'function') throw new Error(`${path} exports no function ${exported}.`)
  return runHandler(definition, name, params, {
    caller,
    objects: createRemoteObjects(call, 'caller'),
    masterObjects: createRemoteObjects(call, 'master'),
    transaction() {
      throw new CountersignError('ScriptFailed', 'An isolated function has no transactions. Take isolate away.')
    },
    // Nothing tells a thread that is ended.
    signal: new AbortController().signal,
    log: (message, details = {}) => send({ kind: 'log', message, details: encodeFields(details, 'answer') }),
  })
}

port.on('message', (message: ToWorker) => {
  if (message.kind === 'call') {
    const { call } = message
    run(message).then(
      (answer) => send({ kind: 'done', call, answer }),
      (error) => send({ kind: 'failed', call, failure: writeFailure(error) }),
    )
    return
  }
  const step = waiting.get(message.id)
  waiting.delete(message.id)
  if (message.kind === 'stepDone') step?.resolve(message.answer)
  else step?.reject(readFailure(message.failure))
})
