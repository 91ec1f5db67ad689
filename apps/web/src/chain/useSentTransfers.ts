import { type Client, CountersignError, errorCodes, useClient } from '@countersign/react'
import { request } from '@countersign/react/core'
import { useEffect, useSyncExternalStore } from 'react'
import { type SentTransfer, sentTransfers } from './sentTransfers.ts'

/** Transfers sent from this browser, updated until they are final. */
export function useSentTransfers(owner: string | undefined): readonly SentTransfer[] {
  const client = useClient()
  const transfers = useSyncExternalStore(sentTransfers.subscribe, () => sentTransfers.list(owner))
  const open = transfers.filter(isOpen).map(({ hash }) => hash)
  const key = open.join()
  useEffect(() => {
    if (!owner || !key) return
    const control = new AbortController()
    for (const hash of key.split(',')) void follow(client, owner, hash, control.signal)
    return () => control.abort()
  }, [client, owner, key])
  return transfers
}

const isOpen = ({ stage }: SentTransfer) => stage === 'sent' || stage === 'block'

const longestPause = 15_000

async function follow(client: Client, owner: string, hash: string, signal: AbortSignal): Promise<void> {
  for (let pause = 700; !signal.aborted; pause = Math.min(pause * 1.4, longestPause)) {
    const known = sentTransfers.list(owner).find((each) => each.hash === hash)
    if (!known || !isOpen(known)) return
    try {
      const change = await look(client, known, signal)
      if (!signal.aborted && isChange(known, change)) sentTransfers.update(owner, hash, change)
    } catch {
      // The server or its node may fail for a moment: it is asked again.
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

const isChange = (known: SentTransfer, change: Partial<SentTransfer>) =>
  Object.entries(change).some(([name, value]) => known[name as keyof SentTransfer] !== value)

/** Current state of a transfer. If its block is removed by a reorg, it is pending again. */
async function look(client: Client, known: SentTransfer, signal: AbortSignal): Promise<Partial<SentTransfer>> {
  const chain = String(known.chain)
  const found = await request(client, 'getTransaction', { chain, hash: known.hash }, { signal }).catch(
    (error: unknown) => {
      if (error instanceof CountersignError && error.code === errorCodes.ObjectNotFound) return undefined
      throw error
    },
  )
  if (!found) {
    if (known.nonce === undefined) return { stage: 'sent' }
    // Another one took its number: its owner sped it up or canceled it in the wallet.
    const { result } = await request(client, 'getAddress', { chain, address: known.from }, { signal })
    return { stage: result.nonce > known.nonce ? 'replaced' : 'sent' }
  }
  const { block, status, nonce } = found.result
  if (!block) return { stage: 'sent', nonce }
  if (status === 'failed') return { stage: 'failed', nonce, block: block.number }
  const { finalized } = await request(client, 'getChain', { chain }, { signal })
  return { stage: finalized !== undefined && block.number <= finalized ? 'final' : 'block', nonce, block: block.number }
}
