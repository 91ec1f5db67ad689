import { CountersignProvider, createClient } from '@countersign/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { BootFailure } from './components/BootFailure.tsx'
import { reloadOnce } from './lib/reloadOnce.ts'
import { say } from './lib/say.ts'
import { startSession } from './lib/startSession.ts'
import '@fontsource-variable/figtree/wght.css'
import './styles.css'

const client = createClient({})
void startSession(client)

const root = createRoot(document.getElementById('root') as HTMLElement, {
  // A screen that broke, or whose code could not be fetched: after a new release, or offline.
  onUncaughtError(error) {
    // The code of an older release is gone from the server; the page's own address leads to the newer one.
    const isMissing = error instanceof TypeError && /module/.test(error.message)
    if (isMissing && reloadOnce()) return
    reportError(error)
    const reason = isMissing
      ? say('The server cannot be reached. Check your connection, then try again.')
      : say('Something unexpected happened on this page.')
    queueMicrotask(() => root.render(<BootFailure reason={reason} onRetry={() => window.location.reload()} />))
  },
})

root.render(
  <StrictMode>
    <CountersignProvider client={client} initializeOnMount={false}>
      <App />
    </CountersignProvider>
  </StrictMode>,
)
