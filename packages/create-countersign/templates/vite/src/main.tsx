import '@countersign/react/sheet.css'
import '../components/page.css'
import { CountersignProvider } from '@countersign/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '../components/App.tsx'

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <CountersignProvider appId="{{name}}" serverUrl="/server" initializeOnMount>
      <App />
    </CountersignProvider>
  </StrictMode>,
)
