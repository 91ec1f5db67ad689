import { useEffect, useState } from 'react'
import { toMoralisError } from '../errors/toMoralisError.ts'

export type Ens<Answer> = { answer: Answer | null; isLoading: boolean; error: Error | null }

/** Asks for what a name stands for, or an address, and again when that or the wallet changes. */
export function useEns<Answer>(subject: string, web3: object | null, ask: () => Promise<Answer>): Ens<Answer> {
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
