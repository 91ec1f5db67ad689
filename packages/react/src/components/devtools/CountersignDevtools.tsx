'use client'

import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { getRecorder } from '../../core/devtools/getRecorder.ts'
import { useClient } from '../../hooks/client/useClient.ts'
import { DevtoolsPanel } from './DevtoolsPanel.tsx'
import { styles } from './styles.ts'

export type CountersignDevtoolsProps = {
  /** Open from the start; false by default. */
  readonly initiallyOpen?: boolean
  /** The corner of the page; `end` by default. */
  readonly side?: 'start' | 'end'
  /** The page's `data-theme`, or what the system prefers, by default. */
  readonly theme?: 'light' | 'dark'
}

/**
 * A panel in the corner of the page that shows the session layer: session and its history, wallet and its permissions,
 * live connection, latest requests and errors. It records from when it is mounted, shows no token and no body, and has
 * a shadow root of its own. For development: load it lazily, and leave it out of production builds.
 *
 * @example
 * const Devtools = lazy(async () => ({ default: (await import('@countersign/react/devtools')).CountersignDevtools }))
 *
 * <CountersignProvider appId="my-app" serverUrl="/server" initializeOnMount>
 *   <App />
 *   {import.meta.env.DEV && <Suspense><Devtools /></Suspense>}
 * </CountersignProvider>
 */
export function CountersignDevtools({ initiallyOpen = false, side = 'end', theme }: CountersignDevtoolsProps) {
  const client = useClient()
  const host = useRef<HTMLDivElement>(null)
  const [root, setRoot] = useState<ShadowRoot>()
  useEffect(() => getRecorder(client).start(), [client])
  useEffect(() => {
    if (host.current) setRoot(host.current.shadowRoot ?? openRoot(host.current))
  }, [])
  return (
    <div ref={host} data-countersign-devtools="" lang="en" dir="ltr">
      {root && createPortal(<DevtoolsPanel initiallyOpen={initiallyOpen} side={side} theme={theme} />, root)}
    </div>
  )
}

function openRoot(host: HTMLElement): ShadowRoot {
  const root = host.attachShadow({ mode: 'open' })
  try {
    // Made by script, so that a content security policy without inline styles lets it pass.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    root.adoptedStyleSheets = [sheet]
  } catch {
    const element = document.createElement('style')
    element.textContent = styles
    root.append(element)
  }
  return root
}
