'use client'

import { App } from '../components/App.tsx'

/** What has hooks runs in the browser, too; the page around it stays on the server. */
export function Messages() {
  return <App />
}
