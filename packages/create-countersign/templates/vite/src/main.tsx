import '@countersign/react/sheet.css'
import '../components/page.css'
import { CountersignProvider } from '@countersign/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '../components/App.tsx'

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    {/* The demo wallet signs in without an extension; a build for production has none. */}
    <CountersignProvider appId="{{name}}" serverUrl="/server" demoWallet={import.meta.env.DEV} initializeOnMount>
      <App />
    </CountersignProvider>
  </StrictMode>,
)
