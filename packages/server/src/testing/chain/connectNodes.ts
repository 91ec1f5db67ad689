import { CountersignError } from '@countersign/protocol'
import { pino } from 'pino'
import type { Chain } from '../../chain/nodes/Chain.ts'
import { createChains } from '../../chain/nodes/getChains.ts'
import type { ConfigInput } from '../../config/Config.ts'
import { readConfig } from '../../config/readConfig.ts'
import type { Chain as TestChain } from './Chain.ts'

export const log = pino({ level: 'silent' })
export const holder = '0x00000000000000000000000000000000000000aa'

/** Ends the faults of a test. */
export function resetFaults(...nodes: TestChain[]): void {
  for (const { faults } of nodes) {
    for (const name of Object.keys(faults)) delete (faults as Record<string, unknown>)[name]
    Object.assign(faults, { down: false, latencyMs: 0, calls: {}, requests: 0 })
  }
}

export const readChains = async (config: ConfigInput) =>
  createChains({
    config: await readConfig({ environment: {}, folder: '/nonexistent', flags: { usePublicNodes: false, ...config } }),
    log,
  })

export const connect = async (
  nodes: { url: string }[],
  settings: Partial<NonNullable<ConfigInput['chains']>[number]> = {},
): Promise<Chain> => {
  const rpcUrls = nodes.map(({ url }) => url)
  return (
    await readChains({ chains: [{ id: 31_337, timeout: 20_000, headCacheTtl: 60_000, rpcUrls, ...settings }] })
  ).get(31_337)
}

export const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof CountersignError)) throw new Error(`no CountersignError but ${String(error)}`)
  return error
}

/** Timeout for background work, longer than the busiest machine takes. */
export const patience = { timeout: 60_000, interval: 50 }

/** A promise that the test fulfils. */
export function createLatch() {
  let open = () => {}
  const opened = new Promise<undefined>((resolve) => {
    open = () => resolve(undefined)
  })
  return { opened, open }
}
