import type { WireFields, WireValue } from '@countersign/protocol'
import { z } from 'zod'
import type { FromProcess } from './Message.ts'

const number = z.int().min(0)
const className = z.string().max(200)
const objectId = z.string().max(1_000)
const input = z.custom<WireFields>((value) => value !== null && typeof value === 'object' && !Array.isArray(value))

const step = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('find'), className, input }),
  z.strictObject({ method: z.literal('get'), className, objectId, input }),
  z.strictObject({ method: z.literal('create'), className, input }),
  z.strictObject({ method: z.literal('update'), className, objectId, input }),
  z.strictObject({ method: z.literal('delete'), className, objectId }),
])

const failure = z.strictObject({
  code: z.number().optional(),
  message: z.string(),
  details: z.string().optional(),
  stack: z.string().optional(),
})

const fromProcess = z.discriminatedUnion('kind', [
  // Whatever JSON holds is a value of the wire.
  z.strictObject({ kind: z.literal('done'), call: number, answer: z.custom<WireValue | undefined>().optional() }),
  z.strictObject({ kind: z.literal('failed'), call: number, failure }),
  z.strictObject({ kind: z.literal('step'), call: number, id: number, as: z.enum(['caller', 'master']), step }),
  z.strictObject({ kind: z.literal('log'), message: z.string(), details: input }),
  z.strictObject({ kind: z.literal('crashed'), message: z.string() }),
])

/** Parses a message of a process; `undefined` if it is invalid. Application code may have written it. */
export function parseMessage(text: string): FromProcess | undefined {
  try {
    return fromProcess.safeParse(JSON.parse(text)).data as FromProcess | undefined
  } catch {
    return undefined
  }
}
