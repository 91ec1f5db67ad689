import { CountersignProvider, createClient } from '@countersign/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { startSession } from './lib/startSession.ts'
import './styles.css'

const client = createClient({})
void startSession(client)

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <CountersignProvider client={client} initializeOnMount={false}>
      <App />
    </CountersignProvider>
  </StrictMode>,
)
