import { test as base, expect, type Page, type Route } from '@playwright/test'
import { startApps } from './servers/startApps.mjs'
import { startServer } from './servers/startServer.mjs'

const elsewhere = /^(https?|wss?):\/\/(?!(localhost|127\.0\.0\.1)[:/])/

type Apps = {
  /** Opens one of the pages of e2e/apps, which speaks to the server of these specs. */
  open: (page: Page, name: string, query?: Record<string, string>) => Promise<void>
  /** Requests to other hosts. All are blocked; `answers` replaces some. */
  strangers: { asked: string[]; answers: Map<string, (route: Route) => Promise<void>> }
  faults: string[]
}

/** One server for all specs that use the pages, and the pages on an origin of their own, which the server allows. */
type Site = { appsUrl: string; serverUrl: string; appId: string }

export const appTest = base.extend<Apps, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from here
    async ({}, use) => {
      const apps = await startApps()
      const server = await startServer({
        wallet: { origins: [apps.url] },
        olderSignIn: { messages: ['Moralis Authentication', 'Hello from an older application'] },
      })
      const { appId } = await (await fetch(`${server.url}/config.json`)).json()
      await use({ appsUrl: apps.url, serverUrl: `${server.url}/server`, appId })
      await Promise.all([apps.stop(), server.stop()])
    },
    { scope: 'worker' },
  ],
  open: async ({ site: { appsUrl, ...server } }, use) => {
    await use(async (page, name, query = {}) => {
      await page.goto(`${appsUrl}/${name}/?${new URLSearchParams({ ...server, ...query })}`)
    })
  },
  strangers: [
    async ({ context }, use) => {
      const strangers: Apps['strangers'] = { asked: [], answers: new Map() }
      await context.route(elsewhere, async (route) => {
        const { host } = new URL(route.request().url())
        const answer = strangers.answers.get(host)
        if (answer) return answer(route)
        strangers.asked.push(route.request().url())
        await route.abort()
      })
      context.on('page', (page) =>
        page.on('websocket', (socket) => {
          if (elsewhere.test(socket.url())) strangers.asked.push(socket.url())
        }),
      )
      await use(strangers)
      expect(strangers.asked).toEqual([])
    },
    { auto: true },
  ],
  faults: [
    async ({ context }, use) => {
      const faults: string[] = []
      context.on('weberror', (error) => faults.push(`uncaught: ${error.error().stack ?? error.error().message}`))
      await use(faults)
      expect(faults).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
