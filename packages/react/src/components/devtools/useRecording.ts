import { useEffect, useReducer, useSyncExternalStore } from 'react'
import type { Client } from '../../core/Client.ts'
import { getRecorder, type Recorder } from '../../core/devtools/getRecorder.ts'
import type { Recording } from '../../core/devtools/Recording.ts'
import { getLiveState } from '../../core/live/getLiveState.ts'

/** What was recorded, drawn anew also when anything else that the panel shows has moved. */
export function useRecording(client: Client): { readonly recorder: Recorder; readonly recording: Recording } {
  const recorder = getRecorder(client)
  const recording = useSyncExternalStore(recorder.recording.subscribe, recorder.recording.get, recorder.recording.get)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const { session, initialization, wallet, connectors, mismatch } = client.internal
    const stores = [session, initialization, wallet, connectors, mismatch, getLiveState(client)]
    const ends = stores.map(({ subscribe }) => subscribe(redraw))
    return () => {
      for (const end of ends) end()
    }
  }, [client])
  return { recorder, recording }
}
