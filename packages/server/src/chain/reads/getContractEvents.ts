import { CountersignError } from '@countersign/protocol'
import type { Abi, AbiEvent } from 'viem'
import type { Chain, Hex } from '../nodes/Chain.ts'
import type { Log } from './Block.ts'
import { type Decoded, decodeLog } from './decodeLog.ts'
import { getLogs, type LogFilter, type Logs } from './getLogs.ts'
import { readAbi } from './readAbi.ts'

export type EventFilter = Omit<LogFilter, 'address' | 'topics'> & {
  address: Hex
  /** JSON of the event, or of the whole contract. */
  abi: unknown
  /** The event: its topic, its name or its signature. Unless given, that of the only event in the ABI. */
  event?: string
}

/** Events of a contract, decoded. Logs of that topic that do not fit the ABI have no `decoded`. */
export async function getContractEvents(
  chain: Chain,
  { address, abi, event, ...range }: EventFilter,
): Promise<Omit<Logs, 'logs'> & { events: (Log & { decoded: Decoded | undefined })[] }> {
  const item = await chooseEvent(await readAbi(abi), event)
  const { toEventSelector } = await import('viem')
  const { logs, ...rest } = await getLogs(chain, { ...range, address, topics: [toEventSelector(item)] })
  const own: Abi = [item]
  const events = await Promise.all(logs.map(async (log) => ({ ...log, decoded: await decodeLog(log, own) })))
  return { ...rest, events }
}

/** The event of an ABI that is meant by its topic, name or signature. */
export async function chooseEvent(abi: Abi, wanted: string | undefined): Promise<AbiEvent> {
  const { toEventSelector, toEventSignature } = await import('viem')
  const events = abi.filter((item): item is AbiEvent => item.type === 'event')
  const key = wanted?.replaceAll(' ', '')
  const found =
    key === undefined
      ? events
      : events.filter((item) => [item.name, toEventSignature(item), toEventSelector(item)].includes(key))
  if (found.length === 1 && found[0]) return found[0]
  throw new CountersignError(
    'InvalidValue',
    found.length > 1 ? 'Several events fit; name one by its topic.' : 'The ABI has no such event.',
    {
      details: `Events: ${events
        .map((item) => toEventSignature(item))
        .join(', ')
        .slice(0, 500)}`,
    },
  )
}
