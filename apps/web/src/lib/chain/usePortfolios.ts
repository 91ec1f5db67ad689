import { CountersignError, type Portfolio, useClient } from '@countersign/react'
import { getPortfolio } from '@countersign/react/core'
import { useCallback, useEffect, useRef, useState } from 'react'

export type Portfolios =
  | { status: 'pending' }
  | { status: 'error'; error: CountersignError }
  | { status: 'success'; data: readonly Portfolio[]; isFetching: boolean }

/** What several addresses have, all together. What is known stays on show while it is read again. */
export function usePortfolios(addresses: readonly string[]): Portfolios & { refetch: () => void } {
  const client = useClient()
  const key = addresses.join()
  const [round, setRound] = useState(0)
  const [known, setKnown] = useState<{ key: string; data?: Portfolio[]; error?: CountersignError }>()
  const [isFetching, setFetching] = useState(false)
  const hasData = useRef(false)
  hasData.current = known?.key === key && known.data !== undefined
  useEffect(() => {
    void round
    if (!key) return
    const control = new AbortController()
    setFetching(true)
    let error: CountersignError | undefined
    const ask = (address: string) =>
      getPortfolio(client, { address }, { signal: control.signal, onError: (refusal) => (error ??= refusal) })
    void Promise.all(key.split(',').map(ask)).then((found) => {
      if (control.signal.aborted) return
      setFetching(false)
      const data = found.filter((each) => each !== undefined)
      if (data.length === found.length) setKnown({ key, data })
      // What is known stays, rather than giving way to a passing fault.
      else if (!hasData.current)
        setKnown({ key, error: error ?? new CountersignError('InternalServerError', 'No answer.') })
    })
    return () => control.abort()
  }, [client, key, round])
  const refetch = useCallback(() => {
    setKnown((before) => (before?.error ? undefined : before))
    setRound((before) => before + 1)
  }, [])
  if (!key) return { status: 'success', data: [], isFetching: false, refetch }
  if (known?.key !== key) return { status: 'pending', refetch }
  if (known.error) return { status: 'error', error: known.error, refetch }
  return { status: 'success', data: known.data ?? [], isFetching, refetch }
}
