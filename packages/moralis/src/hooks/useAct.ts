import { useCallback, useState } from 'react'
import { toMoralisError } from '../errors.ts'
import { type MoralisCallbacks, runCall } from '../runCall.ts'

type State<Data> = { isRunning: boolean; data: Data | null; error: Error | null }

/** Last result of an operation and its state. After a failure `left` decides what remains of the result before. */
export function useAct<Data>(left: (before: Data | null) => Data | null) {
  const [state, setState] = useState<State<Data>>({ isRunning: false, data: null, error: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is left is a matter of the hook, not of the render
  const run = useCallback(
    (callbacks: MoralisCallbacks<Data>, act: () => Promise<Data>): Promise<Data | undefined> =>
      runCall(callbacks, async () => {
        setState(({ data }) => ({ data, isRunning: true, error: null }))
        try {
          const data = await act()
          setState({ isRunning: false, data, error: null })
          return data
        } catch (cause) {
          const error = toMoralisError(cause)
          setState(({ data }) => ({ isRunning: false, data: left(data), error }))
          throw error
        }
      }),
    [],
  )
  return { ...state, run }
}
