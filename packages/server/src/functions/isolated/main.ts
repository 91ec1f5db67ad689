import { Socket } from 'node:net'
import { CountersignError, type WireFields } from '@countersign/protocol'
import { endWithParent } from '../../work/endWithParent.ts'
import { createObjects } from '../createObjects.ts'
import { type FunctionDefinition, mark } from '../Definition.ts'
import { createImporter } from '../loadCloud.ts'
import { runHandler } from '../runFunction.ts'
import { encodeFields } from '../values.ts'
import {
  createMessageReader,
  type FromProcess,
  longestMessage,
  pipeFd,
  readFailure,
  type ToProcess,
  writeFailure,
  writeMessage,
} from './Message.ts'

/** Process of isolated functions: one call after another. Documents are accessed through the server. */
const pipe = new Socket({ fd: pipeFd, readable: true, writable: true })
// A stop of the server by its group of processes, as by a terminal, lets it finish what is under way.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// The server has ended.
pipe.on('error', () => process.exit(0)).on('close', () => process.exit(0))
endWithParent(Number(process.argv[2]))

const importFile = createImporter()
const waiting = new Map<number, { resolve(answer: WireFields): void; reject(error: unknown): void }>()
let steps = 0

function send(message: FromProcess, sent?: () => void): void {
  const frame = writeMessage(message)
  if (!frame) {
    throw new CountersignError('ScriptFailed', `A message of a function can have at most ${longestMessage} bytes.`)
  }
  pipe.write(frame, sent)
}

process.on('uncaughtException', (error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  process.exitCode = 1
  send({ kind: 'crashed', message: message.slice(0, 1_000) }, () => process.exit(1))
})

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

async function run({ call, name, path, exported, params, caller }: Extract<ToProcess, { kind: 'call' }>) {
  const file = await importFile(path)
  const definition = file[exported] as FunctionDefinition | undefined
  if (definition?.[mark] !== 'function') throw new Error(`${path} exports no function ${exported}.`)
  return runHandler(definition, name, params, {
    caller,
    objects: createRemoteObjects(call, 'caller'),
    masterObjects: createRemoteObjects(call, 'master'),
    transaction() {
      throw new CountersignError(
        'ScriptFailed',
        'Isolated functions don’t support transactions. Remove the isolate option.',
      )
    },
    // Nothing tells a process that is ended.
    signal: new AbortController().signal,
    log: (message, details = {}) =>
      send({ kind: 'log', message: String(message), details: encodeFields(details, 'answer') }),
  })
}

function hear(text: string): void {
  const message = JSON.parse(text) as ToProcess
  if (message.kind === 'call') {
    const { call } = message
    run(message)
      .then((answer) => send({ kind: 'done', call, answer }))
      .catch((error) => send({ kind: 'failed', call, failure: writeFailure(error) }))
    return
  }
  const step = waiting.get(message.id)
  waiting.delete(message.id)
  if (message.kind === 'stepDone') step?.resolve(message.answer)
  else step?.reject(readFailure(message.failure))
}
pipe.on(
  'data',
  createMessageReader(hear, () => process.exit(1)),
)
