import { CountersignProvider, createClient } from '@countersign/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { BootFailure } from './app/BootGate.tsx'
import { watchAccount } from './app/keepAccount.ts'
import { startSession } from './app/startSession.ts'
import { t } from './i18n/translate.ts'
import '@fontsource-variable/figtree/wght.css'
import './styles.css'

const client = createClient({})
void startSession(client)
watchAccount(client)

const root = createRoot(document.getElementById('root') as HTMLElement, {
  // A screen that broke, or whose code could not be fetched: after a new release, or offline.
  onUncaughtError(error) {
    // The code of an older release is gone from the server; the page's own address leads to the newer one.
    const isMissing = error instanceof TypeError && /module/.test(error.message)
    if (isMissing && reloadOnce()) return
    reportError(error)
    const reason = isMissing
      ? t('The server can’t be reached. Check your connection and try again.')
      : t('Something went wrong on this page.')
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

const key = 'Countersign/reloaded'
const pause = 60_000

/** Reloads the page, unless that was just done or would end at an empty page; tells whether it does. */
function reloadOnce(): boolean {
  try {
    if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(key)) < pause) return false
    sessionStorage.setItem(key, String(Date.now()))
  } catch {
    // Without storage it could reload forever.
    return false
  }
  window.location.reload()
  return true
}
