import { useInitialization } from '@countersign/react'
import { useEffect } from 'react'

const appId = process.env.NEXT_PUBLIC_COUNTERSIGN_APP_ID ?? 'example'

/** Initializes the session layer. It runs once, however often it is called; a failure can be tried again. */
export function Start() {
  const { initialize, ...state } = useInitialization()
  useEffect(() => void initialize({ appId, serverUrl: '/server' }), [initialize])
  if (state.status !== 'error') return null
  return (
    <p role="alert">
      {state.error.message}{' '}
      <button type="button" onClick={() => initialize({ appId, serverUrl: '/server' })}>
        Try again
      </button>
    </p>
  )
}
