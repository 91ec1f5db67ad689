import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './lib/chromiumOptions.mjs'

export default defineConfig({
  testDir: '.',
  globalSetup: './seed.config.mjs',
  // One more than the processors of a small machine: a page waits for its server and the other way round.
  workers: 3,
  // No second try: a test that fails now and then is repaired.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    launchOptions: chromiumOptions,
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A test cannot cut off the requests of a worker. The tests of workers allow them.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // A trace of each test takes a third of the processor's time: ask for one with `--trace on`.
    trace: 'off',
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1280, height: 860 }, colorScheme: 'light' } },
    // The main road of each screen and its failures once more, on a phone in the dark.
    {
      name: 'phone',
      grep: /@both/,
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' },
    },
  ],
})
