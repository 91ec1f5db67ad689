'use client'

import { App } from '../components/App.tsx'

/** Client component for the hooks; the page around it stays on the server. */
export function Messages() {
  return <App />
}
