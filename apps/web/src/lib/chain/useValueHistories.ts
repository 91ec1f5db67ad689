import { type CountersignError, useClient } from '@countersign/react'
import { request } from '@countersign/react/core'
import { useCallback, useEffect, useState } from 'react'
import type { ValueHistory } from './sumValues.ts'

export type ValueHistories = (
  | { status: 'pending' }
  | { status: 'error'; error: CountersignError }
  | { status: 'success'; data: readonly ValueHistory[] }
) & { refetch: () => void }

type Known = { key: string; data?: ValueHistory[]; error?: CountersignError }

/** What wallets were worth over the last weeks, all of them or none: a sum that lacks one would look like a fall. */
export function useValueHistories(places: readonly { address: string; chain: number }[]): ValueHistories {
  const client = useClient()
  const key = places.map(({ address, chain }) => `${chain} ${address}`).join()
  const [round, setRound] = useState(0)
  const [known, setKnown] = useState<Known>()
  useEffect(() => {
    void round
    const control = new AbortController()
    const ask = async (place: string): Promise<ValueHistory> => {
      const [chain = '', address = ''] = place.split(' ')
      const { result } = await request(client, 'getValueHistory', { chain, address }, { signal: control.signal })
      return { chain: Number(chain), history: result }
    }
    Promise.all(key ? key.split(',').map(ask) : []).then(
      (data) => control.signal.aborted || setKnown({ key, data }),
      (error) => control.signal.aborted || setKnown({ key, error }),
    )
    return () => control.abort()
  }, [client, key, round])
  const refetch = useCallback(() => {
    setKnown((before) => (before?.error ? undefined : before))
    setRound((before) => before + 1)
  }, [])
  if (known?.key !== key) return { status: 'pending', refetch }
  if (known.error) return { status: 'error', error: known.error, refetch }
  return { status: 'success', data: known.data ?? [], refetch }
}
