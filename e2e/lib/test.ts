import { test as base, expect } from '@playwright/test'
import { createApi } from './createApi.mjs'
import { type Server, startServer } from './servers/startServer.mjs'
import { type Watch, watchPages } from './watchPages.ts'

type PerTest = { watch: Watch; api: ReturnType<typeof createApi> }

let url = ''
let server: Server | undefined

/** One server for a spec file, started before its first test and stopped after its last. */
export function serve(options: Record<string, unknown> = {}): void {
  serveBy(() => startServer(options))
}

/** Starts what a spec file needs besides a server. */
export function serveBy(start: () => Promise<Server>): void {
  test.beforeAll(async () => {
    // A chain with its history takes minutes on a loaded machine.
    test.setTimeout(600_000)
    server = await start()
    url = server.url
  })
  test.afterAll(() => server?.stop())
}

/** Moves the server's time ahead: what it counts by the minute is tested without waiting for it. */
export async function moveServerClock(milliseconds: number): Promise<void> {
  if (!server?.moveClock) throw new Error('The clock of this server cannot be moved.')
  await server.moveClock(milliseconds)
}

export const test = base.extend<PerTest>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from here
  baseURL: async ({}, use) => use(url),
  // biome-ignore lint/correctness/noEmptyPattern: as above
  api: async ({}, use) => use(createApi(url)),
  watch: [
    async ({ context }, use) => {
      const watch = watchPages(context, () => url)
      await use(watch)
      expect(watch.faults).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
