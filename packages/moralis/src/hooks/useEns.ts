import { useClient } from '@countersign/react'
import { useEffect, useState } from 'react'
import { toMoralisError } from '../errors.ts'
import { loadOnChain } from '../web3/loadOnChain.ts'
import { useMoralis } from './useMoralis.ts'

/**
 * The ENS name of an address, on the wallet's chain.
 *
 * @example
 * const { name, isLoading } = useEnsAddress('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')
 */
export function useEnsAddress(ensAddress: string) {
  const { web3 } = useMoralis()
  const { answer, isLoading, error } = useEns(
    ensAddress,
    web3,
    async () => (await web3?.lookupAddress(ensAddress)) ?? null,
  )
  return { name: answer, isLoading, error }
}

const nothing = { address: null, avatar: null, email: null, url: null }

/**
 * Resolves an ENS name on the wallet's chain.
 *
 * @example
 * const { address, avatar, isLoading } = useEnsName('vitalik.eth')
 */
export function useEnsName(ensName: string) {
  const { web3, provider } = useMoralis()
  const client = useClient()
  const { answer, isLoading, error } = useEns(ensName, web3, async () => {
    const { createEns } = await loadOnChain()
    return createEns(client, provider).describeName(ensName)
  })
  return { ...(answer ?? nothing), isLoading, error }
}

type Ens<Answer> = { answer: Answer | null; isLoading: boolean; error: Error | null }

/** Resolves a name or an address, and again when it or the wallet changes. */
function useEns<Answer>(subject: string, web3: object | null, ask: () => Promise<Answer>): Ens<Answer> {
  const [state, setState] = useState<Ens<Answer>>({ answer: null, isLoading: false, error: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked follows from subject and wallet
  useEffect(() => {
    let isOver = false
    const show = (next: Ens<Answer>) => {
      if (!isOver) setState(next)
    }
    if (!subject || !web3) return show({ answer: null, isLoading: false, error: null })
    show({ answer: null, isLoading: true, error: null })
    ask().then(
      (answer) => show({ answer, isLoading: false, error: null }),
      (error) => show({ answer: null, isLoading: false, error: toMoralisError(error) }),
    )
    return () => {
      isOver = true
    }
  }, [subject, web3])
  return state
}
