type Ask = (method: string, params?: unknown[]) => Promise<unknown>

export type History = {
  ask: Ask
  reorg(depth: number, make?: () => Promise<unknown>): Promise<void>
}

const makesBlocks = new Set(['eth_sendTransaction', 'eth_sendRawTransaction', 'evm_mine', 'hardhat_mine', 'evm_revert'])

/** Remembers the state at each block, so that blocks can be taken back. */
export function createHistory(ask: Ask): History {
  const snapshots = new Map<number, string>()
  let line: Promise<unknown> = Promise.resolve()
  let branches = 0

  const head = async () => Number(await ask('eth_blockNumber'))

  const keep = async () => {
    const number = await head()
    if (!snapshots.has(number)) snapshots.set(number, String(await ask('evm_snapshot')))
  }

  /** One after another, so that a snapshot is of the block that it is kept for. */
  const inLine = <T>(work: () => Promise<T>): Promise<T> => {
    const done = line.then(work)
    line = done.catch(() => undefined)
    return done
  }

  const forgetAfter = (number: number) => {
    for (const known of snapshots.keys()) if (known >= number) snapshots.delete(known)
  }

  const asked: Ask = (method, params = []) => {
    if (!makesBlocks.has(method)) return ask(method, params)
    return inLine(async () => {
      if (method !== 'evm_revert') await keep()
      const answer = await ask(method, params)
      if (method === 'evm_revert') forgetAfter(await head())
      return answer
    })
  }

  return {
    ask: asked,
    async reorg(depth, make) {
      const old = await inLine(async () => {
        const tip = await head()
        const snapshot = snapshots.get(tip - depth)
        if (depth < 1 || snapshot === undefined) throw new Error(`block ${tip - depth} of ${tip} is not remembered`)
        if ((await ask('evm_revert', [snapshot])) !== true) throw new Error('the chain did not go back')
        forgetAfter(tip - depth)
        // Empty blocks of one time and parent are identical; the fee recipient distinguishes branches.
        await ask('hardhat_setCoinbase', [`0x${(++branches).toString(16).padStart(40, 'b')}`])
        return tip
      })
      await make?.()
      for (let number = await head(); number <= old; number++) await asked('evm_mine')
    },
  }
}
