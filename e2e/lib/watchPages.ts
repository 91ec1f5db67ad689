import type { BrowserContext } from '@playwright/test'

/** A refused request is logged by the browser itself, however well the page deals with it. */
const refusal = /^Failed to load resource: the server responded with a status of 4\d\d/

/** The page closed a socket before it was open, as when the test moves its clock; it retries automatically. */
const early = /^WebSocket connection to .* failed: WebSocket is closed before the connection is established/

/** The tests of most screens allow no worker. */
const blocked = /^Service Worker registration blocked by Playwright/

export type Watch = { faults: string[]; refusals: string[]; origins: Set<string> }

/**
 * Records forbidden acts of a page: an error in the log, a violation of its content security policy, a request to
 * another host.
 */
export function watchPages(context: BrowserContext, origin: () => string): Watch {
  const watch: Watch = { faults: [], refusals: [], origins: new Set() }
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const text = message.text()
    if (early.test(text) || blocked.test(text)) return
    const note = `${message.type()} in the console of ${message.page()?.url()}: ${text} (${message.location().url})`
    if (refusal.test(text) && message.location().url.startsWith(`${origin()}/server/`)) watch.refusals.push(note)
    else watch.faults.push(note)
  })
  context.on('weberror', (error) => watch.faults.push(`uncaught: ${error.error().stack}`))
  const see = (url: string) => {
    const { protocol, origin: target } = new URL(url.replace(/^ws/, 'http'))
    if (!protocol.startsWith('http')) return
    watch.origins.add(target)
    if (target !== origin()) watch.faults.push(`request to another host: ${url}`)
  }
  context.on('request', (request) => see(request.url()))
  context.on('page', (page) => page.on('websocket', (socket) => see(socket.url())))
  return watch
}
