import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { ReplayError } from './ReplayError.ts'

export type Ask = (method: string, params?: unknown[]) => Promise<unknown>

type Entry = { method: string; params: unknown[]; time?: number; hash?: string }

const makesBlock = new Set(['eth_sendTransaction', 'eth_sendRawTransaction', 'evm_mine'])
const changesState = new Set(['hardhat_impersonateAccount', 'hardhat_setCode'])

/**
 * Writes down whatever changes the chain, and first does again what is written down. Each block gets its time from here,
 * so that the chain of the last start comes again hash by hash, and the server's index of it stays true.
 */
export async function createJournal(file: string, ask: Ask): Promise<Ask> {
  let line: Promise<unknown> = Promise.resolve()
  let wanted: number | undefined
  let last = 0

  const carryOut = async ({ method, params, time }: Entry): Promise<unknown> => {
    if (time !== undefined) await ask('evm_setNextBlockTimestamp', [time])
    if (time !== undefined) last = time
    return ask(method, params)
  }
  const write = (entry: Entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`)
  const headHash = async () => ((await ask('eth_getBlockByNumber', ['latest', false])) as { hash: string }).hash

  for (const entry of readEntries(file)) {
    // A transaction that failed is in its block all the same; the hash tells whether it is the same block.
    await carryOut(entry).catch(() => undefined)
    if (entry.hash !== undefined && (await headHash()) !== entry.hash) throw new ReplayError()
  }

  const note = async (method: string, params: unknown[]) => {
    const entry: Entry = { method, params }
    if (!makesBlock.has(method)) {
      await carryOut(entry)
      return write(entry)
    }
    const before = await headHash()
    const time = Math.max(wanted ?? Math.floor(Date.now() / 1000), last + 1)
    wanted = undefined
    try {
      return await carryOut({ ...entry, time })
    } finally {
      const hash = await headHash()
      if (hash !== before) write({ ...entry, time, hash })
    }
  }

  return (method, params = []) => {
    if (method === 'evm_setNextBlockTimestamp') {
      wanted = Number(params[0])
      return Promise.resolve(wanted)
    }
    if (!makesBlock.has(method) && !changesState.has(method)) return ask(method, params)
    const done = line.then(() => note(method, params))
    line = done.catch(() => undefined)
    return done
  }
}

function readEntries(file: string): Entry[] {
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  // A line cut off when the process ended has no line end.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole !== text) writeFileSync(file, whole)
  return whole
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Entry)
}
