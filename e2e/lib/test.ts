import { test as base, expect } from '@playwright/test'
import { createApi } from './createApi.mjs'
import { type Server, startServer } from './startServer.mjs'
import { type Watch, watchPages } from './watchPages.ts'

type PerTest = { watch: Watch; api: ReturnType<typeof createApi> }

let url = ''

/** One server for a spec file, started before its first test and stopped after its last. */
export function serve(options: Record<string, unknown> = {}): void {
  serveBy(() => startServer(options))
}

/** What a spec file is tested on, where that is more than a server. */
export function serveBy(start: () => Promise<Server>): void {
  let stop: () => Promise<void> = async () => {}
  test.beforeAll(async () => {
    const server = await start()
    url = server.url
    stop = server.stop
  })
  test.afterAll(() => stop())
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
