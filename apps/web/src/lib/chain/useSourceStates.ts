import { useCallback, useMemo, useState } from 'react'

/** What several components that each follow one source have told, by key. The same list until one tells again. */
export function useSourceStates<State>(): [readonly State[], (key: string, state: State | undefined) => void] {
  const [states, setStates] = useState<ReadonlyMap<string, State>>(new Map())
  const tell = useCallback((key: string, state: State | undefined) => {
    setStates((before) => {
      const after = new Map(before)
      if (state) after.set(key, state)
      else after.delete(key)
      return after
    })
  }, [])
  return [useMemo(() => [...states.values()], [states]), tell]
}
