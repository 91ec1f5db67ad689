import { type CountersignError, useClient } from '@countersign/react'
import { type EndpointName, type EndpointTypes, request } from '@countersign/react/core'
import { useCallback, useEffect, useState } from 'react'

export type ChainRequest<Data> = (
  | { status: 'pending' }
  | { status: 'error'; error: CountersignError }
  | { status: 'success'; data: Data }
) & { refetch: () => void }

type Known<Data> = { key: string; data?: Data; error?: CountersignError }

/** One request to an endpoint. Other input starts over; a repeat keeps the result visible. */
export function useChainRequest<Name extends EndpointName>(
  name: Name,
  input: EndpointTypes[Name]['input'],
  enabled = true,
): ChainRequest<EndpointTypes[Name]['output']> {
  const client = useClient()
  const key = `${name} ${JSON.stringify(input)}`
  const [round, setRound] = useState(0)
  const [known, setKnown] = useState<Known<EndpointTypes[Name]['output']>>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the input, whose object is new each time
  useEffect(() => {
    void round
    if (!enabled) return
    const control = new AbortController()
    request(client, name, input, { signal: control.signal }).then(
      (data) => control.signal.aborted || setKnown({ key, data }),
      (error) => control.signal.aborted || setKnown({ key, error }),
    )
    return () => control.abort()
  }, [client, key, round, enabled])
  const refetch = useCallback(() => {
    setKnown((before) => (before?.error ? undefined : before))
    setRound((before) => before + 1)
  }, [])
  if (known?.key !== key) return { status: 'pending', refetch }
  if (known.error) return { status: 'error', error: known.error, refetch }
  return { status: 'success', data: known.data as EndpointTypes[Name]['output'], refetch }
}
